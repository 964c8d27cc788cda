// SPDX-License-Identifier: Apache-2.0
// A restart from any step gives all further files the same bits as an undisturbed run.
#include <mpi.h>

#include <cartwright/cartwright.hpp>

#include "../../../apps/pde/solvers.hpp"
#include "../io/scratch.hpp"
#include "adaptive_solver.hpp"
#include "conjugate_gradient.hpp"
#include "solver_run.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

/// Collective. Takes the run back to the checkpoint of `step`.
void forget_after(const fs::path& directory, int step) {
  MPI_Barrier(MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<fs::path> later;
  if (rank == 0)
    for (const auto& entry : fs::directory_iterator(directory / "checkpoints"))
      if (std::stoi(entry.path().stem().string().substr(5)) > step) later.push_back(entry.path());
  for (const fs::path& file : later) fs::remove(file);
  MPI_Barrier(MPI_COMM_WORLD);
}

void expect_same(const Files& expected, const Files& found, const std::string& what) {
  for (const auto& [name, text] : expected) {
    const auto place = found.find(name);
    if (place == found.end())
      ADD_FAILURE() << what << ": there is no " << name;
    else
      EXPECT_TRUE(place->second == text) << what << ": " << name << " differs";
  }
  EXPECT_EQ(found.size(), expected.size()) << what;
}

/// Every step has output and a checkpoint; the number of the last one.
int last_step(const Files& files) {
  int last = 0;
  for (const auto& [name, text] : files)
    if (name.starts_with("checkpoints/")) last = std::max(last, std::stoi(name.substr(17)));
  return last;
}

/// `deck` says how far the run goes.
void restart_at_every_step(const SolverEntry& solver, const std::string& deck) {
  const Team comm = world();
  const Scratch scratch(comm);
  const fs::path directory = scratch.path() / "out";
  const std::string every_step = deck + "checkpoint: {every: 1, keep: 100}\n";
  run_solver(solver, every_step, directory);
  const Files expected = files_of(directory);
  const int last = last_step(expected);
  ASSERT_GE(last, 5);
  EXPECT_EQ(expected.count("diagnostics.csv"), 1U);
  for (int step = last; step > 0; --step) {
    forget_after(directory, step);
    run_solver(solver, every_step, directory, true);
    expect_same(expected, files_of(directory), "from step " + std::to_string(step));
  }
}

void restart_at_every_step(const SolverEntry& solver, const std::string& deck, int steps) {
  restart_at_every_step(solver, deck + "output: {every: 1}\ntime: {steps: " +
                                    std::to_string(steps) + ", step: 1.0e-3}\n");
}

struct Flock {};

/// Each particle flees from those that are near. They migrate at a step's end only: a restart has
/// to bring them to their owners.
void flee(Run& run, const Flock&) {
  Grid<2> grid(run);
  Particles flock(grid, "flock", 60);
  run.on_fresh_start([&] {
    flock.place([](long long i) {
      return std::array{0.07 * static_cast<double>(i * 7 % 29),
                        0.05 * static_cast<double>(i * 11 % 31), 0.0};
    });
  });
  CellList cells(0.3);
  for ([[maybe_unused]] auto step : run.steps(flock)) {
    flock.ghosts(cells.radius());
    cells.sort(flock);
    std::vector<std::array<double, 2>> ways(flock.size());
    for (std::size_t bin = 0; bin < cells.bins(); ++bin)
      for (std::size_t slot = cells.in(bin).begin; slot < cells.in(bin).end; ++slot) {
        if (cells.particle(slot) >= flock.size()) continue;
        for (const auto& piece : cells.around(bin))
          for (std::size_t other = piece.begin; other < piece.end; ++other)
            for (std::size_t axis = 0; axis < 2; ++axis) {
              const auto x = cells.along(static_cast<int>(axis));
              ways[cells.particle(slot)][axis] += 0.02 * (x[slot] - x[other]);
            }
      }
    for (std::size_t p = 0; p < ways.size(); ++p)
      for (int axis = 0; axis < 2; ++axis)
        flock.position().at(p, axis) += 0.11 + ways[p][static_cast<std::size_t>(axis)];
    flock.migrate();
  }
}

TEST(RestartAtEveryStep, ParticlesAreWithTheirOwners) {
  restart_at_every_step(Solver("flock", "particles that flee from each other", Schema<Flock>{})
                            .function(nullptr, flee),
                        "grid: {extent: [12, 9], length: [2.1, 1.6], periodic: [true, true]}\n", 6);
}

TEST(RestartAtEveryStep, AdaptiveSteps) {
  restart_at_every_step(adaptive_burgers(), R"yaml(
grid: {extent: [16], periodic: [true]}
initial: {u: "2 + sin(6.283185307179586*x)"}
time: {end: 0.07}
output: {every: 1, interval: 0.03}
)yaml");
}

TEST(RestartAtEveryStep, Iterations) {
  restart_at_every_step(jacobi(), R"yaml(
grid: {extent: [6]}
initial: {f: "1"}
iteration: {tolerance: 0.2}
output: {every: 1}
)yaml");
}

TEST(Restart, WithOtherParametersWhereTheDeckAcceptsThem) {
  const Team comm = world();
  const Scratch scratch(comm);
  const fs::path directory = scratch.path() / "out";
  const std::string deck = "grid: {extent: [9]}\ninitial: {temperature: x}\n";
  const auto with = [&](const std::string& rest, bool restart) {
    run_solver(pde::heat_solver(), deck + rest, directory, restart);
  };
  with("heat: {diffusivity: 0.1}\ntime: {steps: 3, step: 1.0e-3}\ncheckpoint: {every: 1}\n", false);
  const std::string changed = "heat: {diffusivity: 0.2}\ntime: {steps: 6, step: 2.0e-3}\n";
  EXPECT_THROW(with(changed, true), rt::Error);
  with(changed + "checkpoint: {every: 1, changes: accept}\n", true);
  with("heat: {diffusivity: 0.2}\ntime: {steps: 7, step: 2.0e-3}\n", true);  // counts from there
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string text = files_of(directory).at("diagnostics.csv");
  EXPECT_NE(text.find("\n3,0.003,"), std::string::npos) << text;
  EXPECT_NE(text.find("\n6,0.009000000000000001,"), std::string::npos) << text;
  EXPECT_NE(text.find("\n7,0.011,"), std::string::npos) << text;
}

TEST(RestartAtEveryStep, Heat) {
  restart_at_every_step(pde::heat_solver(), R"yaml(
heat: {diffusivity: 0.1}
grid: {extent: [13, 11], periodic: [false, true]}
initial: {temperature: "x*y + 1"}
boundary: {temperature: {x_low: {dirichlet: "1 + sin(9*t)"}, all: {neumann: 0.5}}}
exact: {temperature: "1"}
)yaml",
                        6);
}

TEST(RestartAtEveryStep, ImplicitHeat) {
  for (const std::string method : {"multigrid", "cg", "pipelined_cg"})
    restart_at_every_step(pde::heat_solver(),
                          "heat: {diffusivity: 0.1, scheme: crank_nicolson, linear: {method: " +
                              method + "}}\n" + R"yaml(
grid: {extent: [13, 11], periodic: [false, true]}
time: {steps: 6, step: 0.05}
initial: {temperature: "x*y + 1"}
boundary: {temperature: {x_low: {dirichlet: "1 + sin(9*t)"}, all: {neumann: 0.5}}}
output: {every: 1}
)yaml");
}

TEST(RestartAtEveryStep, Wave) {
  restart_at_every_step(pde::wave_solver(), R"yaml(
wave: {speed: 3.0}
grid: {extent: [7, 6, 5]}
initial: {displacement: "sin(3*x)*y", velocity: "z"}
boundary: {displacement: {y_high: {neumann: "x"}}}
)yaml",
                        6);
}

const std::string poisson = R"(
grid: {extent: [9, 7]}
initial: {residual: "1 + x - y*y"}
)";

TEST(RestartAtEveryStep, ConjugateGradientThatConverges) {
  restart_at_every_step(conjugate_gradient(), "cg: {tolerance: 1.0e-4}\n" + poisson, 100);
}

TEST(RestartAtEveryStep, ConjugateGradientThatRunsOutOfSteps) {
  restart_at_every_step(conjugate_gradient(), poisson, 7);
}

// The restored values win over all that stands before the loop.
TEST(RestartAtEveryStep, ConjugateGradientThatSetsItsStateAtEveryStart) {
  restart_at_every_step(conjugate_gradient(), "cg: {set_up: before}\n" + poisson, 6);
  restart_at_every_step(conjugate_gradient(), "cg: {set_up: after}\n" + poisson, 6);
}

TEST(Restart, OfAnEndedRunHasNothingLeftToDo) {
  const Team comm = world();
  const Scratch scratch(comm);
  const std::string deck = "cg: {tolerance: 1.0e-2}\ncheckpoint: {every: 1}\n" + poisson;
  const fs::path directory = scratch.path() / "out";
  run_solver(conjugate_gradient(), deck + "time: {steps: 90, step: 1.0}\n", directory);
  const int last = last_step(files_of(directory));
  EXPECT_LT(last, 90);
  run_solver(conjugate_gradient(), deck + "time: {steps: 99, step: 1.0}\n", directory, true);
  EXPECT_EQ(last_step(files_of(directory)), last);
}

}  // namespace
}  // namespace cartwright::grid::test
