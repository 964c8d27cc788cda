// SPDX-License-Identifier: Apache-2.0
// The same bits for any number of ranks and threads, by all ways, and after restarts on other
// numbers of ranks; also with fewer particles than ranks, and none.
#include <gtest/gtest.h>

#include <cstring>

#include "pde_program.hpp"

namespace pde_test {
namespace {

const char* const cluster = R"(
solver: gravity
gravity: {bodies: 333, softening: 0.05, energies: 5, initial: {kind: plummer, seed: 3}}
grid: {extent: [16, 16, 16], length: [8, 8, 8], origin: [-4, -4, -4]}
time: {steps: 20, step: 0.01}
output: {every: 10}
checkpoint: {every: 10}
)";

const char* const fluid = R"(
solver: lennard_jones
lennard_jones:
  particles: 500
  cutoff: 2.5
  energies: 5
  thermostat: {temperature: 1.2, until: 12}
  initial: {kind: random, temperature: 2.0, seed: 5}
grid: {extent: [16, 16, 16], length: [9, 8.5, 8], periodic: [true, true, false]}
time: {steps: 20, step: 0.004}
output: {every: 10}
checkpoint: {every: 10}
)";

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

class NbodyBits : public testing::Test {
 protected:
  std::string solve(const std::string& deck, const std::string& name, int ranks,
                    const std::string& more = {}, const std::string& variables = {}) {
    const std::string file = scratch_.write("deck.yaml", deck);
    const std::string directory = scratch_.path() + "/" + name;
    const Result result =
        run(ranks, "--quiet " + file + " output.directory=" + directory + " " + more, variables);
    EXPECT_EQ(result.code, 0) << result.text;
    return directory;
  }
  static void expect_same(const std::string& a, const std::string& b, const std::string& solver,
                          const std::string& set, const std::string& what, int step = 20) {
    for (const char* attribute : {".position", ".velocity"})
      EXPECT_TRUE(same_bits(read_dataset(output_file(a, solver, step), set + attribute),
                            read_dataset(output_file(b, solver, step), set + attribute)))
          << what << attribute;
    EXPECT_EQ(read_text(a + "/energies.csv"), read_text(b + "/energies.csv")) << what;
  }
  Scratch scratch_;
};

TEST_F(NbodyBits, OfGravityOnAnyRanksByAnyWay) {
  const std::string one = solve(cluster, "one", 1, "gravity.forces=allgather");
  for (const int ranks : {1, 2, 3, 4, 6, 8})
    for (const char* way : {"allgather", "ring", "rows_and_columns"}) {
      const std::string name = std::string(way) + std::to_string(ranks);
      expect_same(one, solve(cluster, name, ranks, std::string("gravity.forces=") + way), "gravity",
                  "bodies", name);
    }
  expect_same(one, solve(cluster, "threads", 2, {}, "OMP_NUM_THREADS=2"), "gravity", "bodies",
              "threads");
  for (const char* backend : {"p2p", "native", "shared"})
    expect_same(one, solve(cluster, backend, 6, std::string("comm.backend=") + backend), "gravity",
                "bodies", backend);
  expect_same(one, solve(cluster, "nodes", 6, "'mapping.topology=node:3 core:2'"), "gravity",
              "bodies", "nodes");
}

TEST_F(NbodyBits, OfAFluidOnAnyRanks) {
  const std::string one = solve(fluid, "one", 1);
  for (const int ranks : {2, 3, 4, 6, 8})
    expect_same(one, solve(fluid, "ranks" + std::to_string(ranks), ranks), "lennard_jones", "fluid",
                std::to_string(ranks));
  expect_same(one, solve(fluid, "threads", 2, {}, "OMP_NUM_THREADS=2"), "lennard_jones", "fluid",
              "threads");
  expect_same(one, solve(fluid, "weights", 4, "'grid.weights.formula=1 + 5*x'"), "lennard_jones",
              "fluid", "other blocks");
}

TEST_F(NbodyBits, AfterRestartsOnOtherRanks) {
  struct Case {
    const char *deck, *solver, *set;
  };
  for (const auto& [deck, solver, set] :
       {Case{cluster, "gravity", "bodies"}, Case{fluid, "lennard_jones", "fluid"}}) {
    const std::string whole = solve(deck, std::string(solver) + "_whole", 2);
    for (const auto& [before, after] : {std::pair{1, 3}, std::pair{4, 1}, std::pair{3, 8}}) {
      const std::string name =
          std::string(solver) + std::to_string(before) + "_" + std::to_string(after);
      solve(deck, name, before, "time.steps=10");
      solve(deck, name, after, "--restart");
      expect_same(whole, scratch_.path() + "/" + name, solver, set, name);
    }
  }
}

/// By all pairs, with the same bits on any ranks by any way; as by cells, but for rounding.
TEST_F(NbodyBits, OfAFluidByAllPairs) {
  const std::string one = solve(fluid, "one", 1, "lennard_jones.forces=allgather");
  for (const int ranks : {2, 3, 4, 6, 8})
    for (const char* way : {"allgather", "ring", "rows_and_columns"}) {
      const std::string name = std::string(way) + std::to_string(ranks);
      expect_same(one, solve(fluid, name, ranks, std::string("lennard_jones.forces=") + way),
                  "lennard_jones", "fluid", name);
    }
  const std::string cells = solve(fluid, "cells", 3);
  const auto ours = read_dataset(output_file(one, "lennard_jones", 20), "fluid.velocity");
  const auto theirs = read_dataset(output_file(cells, "lennard_jones", 20), "fluid.velocity");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-9);
  const Result refused =
      run(2, "--quiet " + scratch_.write("deck.yaml", fluid) +
                 " lennard_jones.forces=ring lennard_jones.cutoff=4.4 output.directory=" +
                 scratch_.path() + "/refused");
  EXPECT_EQ(refused.code, 1) << refused.text;
  EXPECT_NE(refused.text.find("half of a periodic axis"), std::string::npos) << refused.text;
}

/// A slab of liquid, which one of four ranks has to itself at first.
TEST_F(NbodyBits, OfAFluidWhoseWorkMoves) {
  const std::string slab = R"(
solver: lennard_jones
lennard_jones:
  particles: 6000
  energies: 5
  initial: {kind: lattice, temperature: 0.7, filled: [1, 1, 0.25]}
grid: {extent: [8, 8, 64], length: [17, 17, 96], periodic: [true, true, true]}
mapping: {process_grid: [1, 1, 4]}
time: {steps: 60, step: 0.004}
output: {every: 30}
checkpoint: {every: 5}
)";
  const std::string one = solve(slab, "one", 1, "mapping.process_grid=[1,1,1]");
  expect_same(one, solve(slab, "even", 4), "lennard_jones", "fluid", "even cuts", 60);
  const std::string moved = solve(slab, "moved", 4, "grid.balance=arrivals");
  expect_same(one, moved, "lennard_jones", "fluid", "arrivals", 60);
  EXPECT_NE(read_text(moved + "/report.json").find("work has moved"), std::string::npos);
  EXPECT_EQ(read_text(moved + "/report.json").find("\"0 times\""), std::string::npos);
}

TEST_F(NbodyBits, WithFewerParticlesThanRanks) {
  for (const int count : {0, 1, 3}) {
    const std::string bodies = "gravity.bodies=" + std::to_string(count);
    const std::string particles = "lennard_jones.particles=" + std::to_string(count);
    const std::string suffix = std::to_string(count);
    expect_same(solve(cluster, "b1_" + suffix, 1, bodies),
                solve(cluster, "b6_" + suffix, 6, bodies), "gravity", "bodies", bodies);
    expect_same(solve(fluid, "p1_" + suffix, 1, particles),
                solve(fluid, "p6_" + suffix, 6, particles), "lennard_jones", "fluid", particles);
    solve(cluster, "r_" + suffix, 3, bodies + " time.steps=10");
    solve(cluster, "r_" + suffix, 8, bodies + " --restart");
    expect_same(scratch_.path() + "/b1_" + suffix, scratch_.path() + "/r_" + suffix, "gravity",
                "bodies", "restart of " + bodies);
  }
}

TEST_F(NbodyBits, OfWhatIsReadFromAFile) {
  const std::string first = solve(cluster, "first", 2);
  const std::string file = output_file(first, "gravity", 10);
  const std::string more =
      "gravity.initial.kind=file gravity.initial.file=" + file + " time.steps=10";
  const std::string again = solve(cluster, "again", 3, more);
  for (const char* dataset : {"bodies.position", "bodies.velocity"})
    EXPECT_TRUE(same_bits(read_dataset(output_file(first, "gravity", 20), dataset),
                          read_dataset(output_file(again, "gravity", 10), dataset)));
}

}  // namespace
}  // namespace pde_test
