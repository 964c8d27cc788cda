// SPDX-License-Identifier: Apache-2.0
// Steps that are made several at once give every file the bits that they have one by one.
#include "fused_solvers.hpp"

#include <mpi.h>

#include <cstring>

#include "../../../apps/pde/solvers.hpp"
#include "../io/scratch.hpp"
#include "solver_run.hpp"

namespace cartwright::grid::test {
namespace {

/// What a run leaves behind: the values of its fields at each output, and its diagnostics.
struct Results {
  std::map<std::string, std::vector<double>> values;
  std::string diagnostics;
};

Results results_with(const SolverEntry& solver, const std::string& deck, int fuse) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto directory = scratch.path() / "out";
  run_solver(solver, deck + "time: {steps: 23, fuse: " + std::to_string(fuse) + "}\n", directory);
  MPI_Barrier(MPI_COMM_WORLD);
  Results results;
  results.diagnostics = files_of(directory).at("diagnostics.csv");
  const FieldInfo& shown = solver.fields.front();
  for (const char* const step : {"10", "20", "23"}) {
    const std::string file = "fields/" + solver.name + "_00000000" + step + ".h5";
    if (shown.components.empty()) results.values[file] = dataset(directory / file, shown.name);
    for (const ComponentInfo& component : shown.components)
      results.values[file + " " + component.name] =
          dataset(directory / file, shown.name + "." + component.name);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return results;
}

void expect_same(const Results& expected, const Results& found, const std::string& what) {
  EXPECT_EQ(found.diagnostics, expected.diagnostics) << what;
  for (const auto& [name, values] : expected.values) {
    const std::vector<double>& others = found.values.at(name);
    ASSERT_EQ(others.size(), values.size()) << what << ": " << name;
    EXPECT_EQ(std::memcmp(others.data(), values.data(), values.size() * sizeof(double)), 0)
        << what << ": " << name;
  }
}

/// Output falls into groups of steps, and cuts them.
void compare(const SolverEntry& solver, std::string deck, std::initializer_list<int> fuse) {
  deck += "output: {every: 10}\ncheckpoint: {every: 7, keep: 9}\n";
  const Results expected = results_with(solver, deck, 1);
  for (const int steps : fuse)
    expect_same(expected, results_with(solver, deck, steps),
                solver.name + ", " + std::to_string(steps) + " at once, " + deck);
}

const std::string heat =
    "heat: {diffusivity: 1.0e-2}\ninitial: {temperature: {random: {seed: 5}}}\n";

TEST(Fused, HeatInARod) {
  for (const char* const grid :
       {"grid: {extent: [997]}\n", "grid: {extent: [41], periodic: [true]}\n",
        "grid: {extent: [41], coordinates: {x: \"x^2\"}}\n"})
    compare(pde::heat_solver(),
            heat + grid +
                "boundary: {temperature: {x_low: {dirichlet: \"sin(99*t)\"}, x_high: {robin: "
                "{coefficient: 2, value: 1}}}}\n",
            {2, 4});
}

/// All kinds of conditions, with values that change along faces and in time, and on parts of them.
TEST(Fused, HeatOnAPlate) {
  const std::string faces = R"yaml(
boundary:
  temperature:
    x_low: {dirichlet: "1 + sin(99*t)*y"}
    x_high: {robin: {coefficient: 2, value: "y"}}
    y_low: [{where: "x < 0.4", dirichlet: "cos(50*t)"}, {where: "x > 0.8", inflow: 3}, {neumann: "x"}]
    y_high: {inflow: "x + t"}
)yaml";
  compare(pde::heat_solver(), heat + "grid: {extent: [61, 43]}\n" + faces, {2, 3, 5});
  compare(pde::heat_solver(), heat + "grid: {extent: [61, 43], periodic: [true, false]}\n" + faces,
          {4});
  compare(pde::heat_solver(), heat + "grid: {extent: [61, 43], periodic: [false, true]}\n" + faces,
          {4});
  compare(pde::heat_solver(),
          heat + "grid: {extent: [61, 43], coordinates: {x: \"x + 0.1*sin(2*pi*x)\"}}\n" + faces,
          {2});
}

TEST(Fused, HeatInABlock) {
  const std::string faces = R"yaml(
boundary:
  temperature:
    x_low: {neumann: "sin(99*t)*y + z"}
    x_high: {robin: {coefficient: 2, value: "y"}}
    y_low: {dirichlet: "x + z*cos(50*t)"}
    z_low: [{where: "x < 0.4", dirichlet: "cos(50*t)"}, {robin: {coefficient: 1, value: "y"}}]
    z_high: {inflow: "x + t"}
)yaml";
  compare(pde::heat_solver(), heat + "grid: {extent: [31, 29, 37]}\n" + faces, {2, 3, 4});
  compare(pde::heat_solver(),
          heat + "grid: {extent: [31, 29, 37], periodic: [true, false, true]}\n" + faces, {3});
  compare(pde::heat_solver(),
          heat + "grid: {extent: [31, 29, 37], periodic: [false, true, false]}\n" + faces, {3});
}

TEST(Fused, CoefficientsAreRead) {
  const std::string data =
      "initial: {u: {random: {seed: 5}}, k: {random: {seed: 6}}}\n"
      "boundary: {u: {x_low: {dirichlet: \"sin(1e4*t)\"}, all: {neumann: 1}}, k: {all: {neumann: "
      "0}}}\n";
  compare(uneven_material(), data + "grid: {extent: [97]}\n", {3});
  compare(uneven_material(), data + "grid: {extent: [61, 43]}\n", {3, 4});
  compare(uneven_material(), data + "grid: {extent: [23, 31, 29]}\n", {3});
}

TEST(Fused, ComponentsAndCorners) {
  const std::string data = "initial: {u: {a: {random: {seed: 5}}, b: {random: {seed: 6}}}}\n";
  compare(mixture(), data + "grid: {extent: [61, 43]}\n", {3, 4});
  compare(mixture(), data + "grid: {extent: [23, 31, 29]}\n", {3});
}

TEST(Fused, TwoPointsFar) {
  const std::string data =
      "initial: {u: {a: {random: {seed: 5}}, b: {random: {seed: 6}}}}\n"
      "boundary: {u: {all: {robin: {coefficient: 2, value: 1}}}}\n";
  compare(far_sighted(), data + "grid: {extent: [97]}\n", {3});
  compare(far_sighted(), data + "grid: {extent: [61, 43]}\n", {2, 4});
  compare(far_sighted(), data + "grid: {extent: [31, 37, 41]}\n", {2, 3});
}

TEST(Fused, RulesOfTheSolversOwn) {
  const std::string data = "initial: {u: {random: {seed: 5}}}\n";
  compare(own_walls(), data + "grid: {extent: [61, 43]}\n", {4});
  compare(own_walls(), data + "grid: {extent: [23, 31, 29]}\n", {3});
}

/// From a checkpoint, with another number of steps at once.
TEST(Fused, Restart) {
  const std::string deck = heat +
                           "grid: {extent: [31, 29, 37]}\noutput: {every: 10}\n"
                           "checkpoint: {every: 7, keep: 9}\n";
  const Team comm = world();
  const Scratch scratch(comm);
  const auto directory = scratch.path() / "out", single = scratch.path() / "single";
  run_solver(pde::heat_solver(), deck + "time: {steps: 23, fuse: 1}\n", single);
  run_solver(pde::heat_solver(), deck + "time: {steps: 14, fuse: 4}\n", directory);
  run_solver(pde::heat_solver(), deck + "time: {steps: 23, fuse: 3}\n", directory, true);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const char* const name : {"fields/heat_0000000020.h5", "fields/heat_0000000023.h5"})
    EXPECT_EQ(dataset(directory / name, "temperature"), dataset(single / name, "temperature"))
        << name;
}

/// Outputs, and a restart, within the trial and behind it.
void compare_with_trial(const SolverEntry& solver, std::string deck) {
  deck += "output: {every: 30}\ncheckpoint: {every: 25, keep: 9}\n";
  const std::string last = "fields/" + solver.name + "_0000000110.h5";
  const Team comm = world();
  const Scratch scratch(comm);
  const auto directory = scratch.path() / "out", single = scratch.path() / "single";
  run_solver(solver, deck + "time: {steps: 110, fuse: 1}\n", single);
  run_solver(solver, deck + "time: {steps: 83}\n", directory);
  MPI_Barrier(MPI_COMM_WORLD);
  run_solver(solver, deck + "time: {steps: 110, fuse: auto}\n", directory, true);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const std::string& name : {"fields/" + solver.name + "_0000000060.h5", last}) {
    const std::string field = solver.fields.front().name;
    EXPECT_EQ(dataset(directory / name, field), dataset(single / name, field)) << name << deck;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Fused, WhatATrialChooses) {
  const std::string faces =
      "boundary: {temperature: {x_low: {dirichlet: \"1 + sin(99*t)\"}, y_low: [{where: \"x < "
      "0.4\", dirichlet: \"cos(50*t)\"}, {robin: {coefficient: 2, value: 1}}]}}\n";
  compare_with_trial(pde::heat_solver(), heat + "grid: {extent: [997]}\n");
  compare_with_trial(pde::heat_solver(), heat + "grid: {extent: [261, 143]}\n" + faces);
  compare_with_trial(
      pde::heat_solver(),
      heat + "grid: {extent: [72, 33, 67], periodic: [false, false, true]}\n" + faces);
  compare_with_trial(
      uneven_material(),
      "initial: {u: {random: {seed: 5}}, k: {random: {seed: 6}}}\n"
      "grid: {extent: [161, 143], periodic: [true, false]}\n"
      "boundary: {u: {y_low: {dirichlet: \"sin(1e4*t)\"}}, k: {all: {neumann: 0}}}\n");
}

/// Blocks that are too narrow, and values that mean nothing.
TEST(Fused, BadDecks) {
  const Team comm = world();
  const Scratch scratch(comm);
  for (const char* const time :
       {"{steps: 3, fuse: 65}", "{steps: 3, fuse: 0}", "{steps: 3, fuse: -1}",
        "{steps: 3, fuse: many}", "{steps: 3, fuse: 10}", "{steps: 3, fuse: 2.5}"})
    EXPECT_THROW(
        run_solver(pde::heat_solver(), heat + "grid: {extent: [9, 9]}\ntime: " + time + "\n",
                   scratch.path() / "out"),
        rt::Error)
        << time;
}

}  // namespace
}  // namespace cartwright::grid::test
