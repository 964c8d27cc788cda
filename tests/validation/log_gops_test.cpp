// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allreduce.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <validation/log_gops.hpp>

#include "../plan/simulation_samples.hpp"

namespace cartwright::plan {
namespace {

// What LogGOPSim is given as -L 4500000 -o 2400000 -g 3000000 -G 1200.
Machine compared_machine() {
  return flat_machine(log_gp(4.5e-6, 2.4e-6, 2.4e-6, 3.0e-6, 1.2e-9), 5e-7, 1e-10);
}

Simulation run(int ranks, const ScheduleMaker& make, const Layout& layout) {
  return validation::simulate_log_gops(ranks, make, layout, 1, compared_machine());
}

// Latest ends by LogGOPSim; see docs/evidence/2026-11-21_simulator/loggopsim.md.
TEST(LogGops, EndsWhenLogGopSimDoes) {
  const auto latest = [](int p, auto make, const Layout& layout) {
    return run(
               p,
               [&](int r) {
                 return make(Team{p, r});
               },
               layout)
        .total;
  };
  EXPECT_EQ(latest(16, samples::ring, Cuts::uniform(16, 1024)), 157'914'000);
  EXPECT_EQ(latest(16, samples::neighbour_exchange, Cuts::uniform(16, 8)), 74'534'400);
  EXPECT_EQ(latest(28, samples::linear_scatter, Cuts::uniform(28, 4096)), 219'978'000);
  EXPECT_EQ(latest(64, samples::direct_alltoall, Cuts::uniform(64, 32)), 307'218'000);
  EXPECT_EQ(latest(100, allreduce::recursive_doubling, Cuts::uniform(1, 4096)), 143'116'800);
  const Stages stages = parse_stages("m3g2a2,n3g2a2");
  const auto merged = [&](Team team) { return allreduce::staged(team, stages); };
  EXPECT_EQ(latest(7, merged, Cuts::uniform(1, 1024)), 41'345'200);
}

TEST(LogGops, TimelineHasAllSteps) {
  SimulationOptions options;
  options.record = Record::timeline;
  const Simulation result = validation::simulate_log_gops(
      8,
      [](int r) {
        return samples::recursive_doubling({8, r});
      },
      Layout(Cuts::uniform(1, 8)), 1, compared_machine(), options);
  EXPECT_EQ(static_cast<Count>(result.timeline.steps.size()), result.steps);
}

TEST(LogGops, WritesGoal) {
  std::ostringstream text;
  validation::write_goal(
      text, 2,
      [](int r) {
        return samples::recursive_doubling({2, r});
      },
      Layout(Cuts::uniform(1, 8)), 1, compared_machine());
  EXPECT_EQ(text.str(),
            "num_ranks 2\n"
            "\nrank 0 {\nl1: calc 0\nl2: send 8b to 1 tag 0\nl2 requires l1\n"
            "l3: recv 8b from 1 tag 0\nl3 requires l2\nl4: calc 500800\nl4 requires l3\n}\n"
            "\nrank 1 {\nl1: calc 0\nl2: send 8b to 0 tag 0\nl2 requires l1\n"
            "l3: recv 8b from 0 tag 0\nl3 requires l2\nl4: calc 500800\nl4 requires l3\n}\n");
}

}  // namespace
}  // namespace cartwright::plan
