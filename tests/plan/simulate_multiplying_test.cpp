// SPDX-License-Identifier: Apache-2.0
// What Rüfenacht 2020 simulates of recursive multiplying: sections 5.4.4 and 5.5.
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/simulation/simulate.hpp>

#include <gtest/gtest.h>

#include <string>

namespace cartwright::plan {
namespace {

constexpr double ns = 1e-9;

Simulation run(const std::string& notation, const Machine& machine) {
  const Stages stages = parse_stages(notation);
  const int ranks = ranks_of(stages);
  return simulate(
      ranks,
      [&](int r) {
        return allreduce::staged({ranks, r}, stages);
      },
      Layout(Cuts::uniform(1, 1)), 8, machine);
}

Simulation run_doubling(int ranks, const Machine& machine) {
  return simulate(
      ranks,
      [&](int r) {
        return allreduce::recursive_doubling({ranks, r});
      },
      Layout(Cuts::uniform(1, 1)), 8, machine);
}

// a_p = 500 ns, a_r = 100 ns, β = 0.4 ns/B, 10 ns of computing a stage (also in that in which a
// folded rank gets its result back), 8 bytes.
Machine simulated_machine() {
  Machine machine = flat_machine(pipelined(500 * ns, 100 * ns, 0.4 * ns));
  machine.stage_overhead = 10 * ns;
  return machine;
}
Machine archer() {
  return flat_machine(pipelined(880 * ns, 380 * ns));
}

TEST(SimulateMultiplying, SevenRanks) {
  const Simulation split = run("c6m2,a2,a2,e6m2", simulated_machine());
  EXPECT_EQ(split.total, 2'452'800);
  EXPECT_EQ(split.spread, 1'016'400);
  const Simulation one = run("m1g2a3,n1g3a2", simulated_machine());
  EXPECT_EQ(one.total, 1'426'400);
  EXPECT_EQ(one.spread, 100'000);
  EXPECT_EQ(split.total - one.total, 1'026'400);
  const Simulation three = run("m3g2a2,n3g2a2", simulated_machine());
  EXPECT_EQ(three.total, 1'426'400);
  EXPECT_EQ(three.spread, 200'000);
}

struct Row {
  int ranks;
  std::string schedule;
  Picoseconds simulated_doubling, simulated, archer_doubling, archer;
};

TEST(SimulateMultiplying, SchedulesOfTable53) {
  const Row rows[] = {
      {4, "a4", 1'226'400, 813'200, 2'520'000, 2'020'000},
      {6, "a6", 1'949'600, 1'013'200, 4'160'000, 2'780'000},
      {8, "a2,a4", 1'839'600, 1'426'400, 3'780'000, 3'280'000},
      {12, "a3,a4", 2'562'800, 1'526'400, 5'420'000, 3'660'000},
      {16, "a4,a4", 2'452'800, 1'626'400, 5'040'000, 4'040'000},
      {24, "a4,a6", 3'176'000, 1'826'400, 6'680'000, 4'800'000},
      {32, "a8,a4", 3'066'000, 2'026'400, 6'300'000, 5'560'000},
      {48, "a8,a6", 3'789'200, 2'226'400, 7'940'000, 6'320'000},
      {64, "a8,a8", 3'679'200, 2'426'400, 7'560'000, 7'080'000},
      {96, "a8,a3,a4", 4'402'400, 2'739'600, 9'200'000, 7'200'000},
      {128, "a8,a4,a4", 4'292'400, 2'839'600, 8'820'000, 7'580'000},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(run_doubling(row.ranks, simulated_machine()).total, row.simulated_doubling)
        << row.ranks;
    EXPECT_EQ(run(row.schedule, simulated_machine()).total, row.simulated) << row.schedule;
    EXPECT_EQ(run_doubling(row.ranks, archer()).total, row.archer_doubling) << row.ranks;
    EXPECT_EQ(run(row.schedule, archer()).total, row.archer) << row.schedule;
  }
}

// Eq. 5.11 counts what a merged stage costs at most.
TEST(SimulateMultiplying, MergedStagesTakeNoLongerThanTheFormula) {
  for (const std::vector<int>& factors :
       {std::vector<int>{3, 2}, {2, 2}, {4, 2}, {5, 4, 2}, {4, 4}, {3, 3, 3}}) {
    int core = 1;
    for (const int f : factors) core *= f;
    for (int r = 1; r <= 11 && core + r <= 64; ++r) {
      const Stages stages = merged_stages(factors, r);
      const Simulation result = run(to_string(stages), archer());
      const int groups = core / factors.back();
      Picoseconds formula = (1 + (r + groups - 1) / groups) * 380'000;
      for (const int f : factors) formula += 880'000 + (f - 1) * 380'000;
      EXPECT_LE(result.total, formula) << to_string(stages);
    }
  }
}

}  // namespace
}  // namespace cartwright::plan
