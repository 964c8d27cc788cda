// SPDX-License-Identifier: Apache-2.0
// Rüfenacht 2020, tables 5.2 and 5.3.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/selection/multiplying_cost.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <cartwright/plan/selection/multiplying_planner.hpp>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace plan = cartwright::plan;

namespace {

/// One 8-byte message on ARCHER: table 4.1.
const plan::MultiplyingParameters archer{
    .bytes = 8, .pipelining_latency = 880'000, .required_latency = 380'000};

plan::Stages stages_of(std::vector<int> factors, int remainders = 0) {
  return remainders == 0 ? plan::factor_stages(factors) : plan::merged_stages(factors, remainders);
}

}  // namespace

TEST(MultiplyingCost, EachKindOfStage) {
  const plan::MultiplyingParameters p{.bytes = 8,
                                      .pipelining_latency = 1'000'000,
                                      .required_latency = 100'000,
                                      .transfer = 1'000,
                                      .combine_overhead = 10,
                                      .combine = 1};
  const auto time = [&](const char* text) {
    return plan::stage_time(plan::parse_stages(text).front(), p);
  };
  EXPECT_EQ(time("a5"), 1'401'014);
  EXPECT_EQ(time("m7g4a5"), 1'501'016);
  EXPECT_EQ(time("n7g4a5"), 1'601'014);
  EXPECT_EQ(time("c12m3"), 1'101'012);
  EXPECT_EQ(time("e12m3"), 1'201'000);
}

TEST(MultiplyingCost, ParametersOfAMachine) {
  plan::Machine machine;
  machine.name = "test";
  machine.levels = {
      {.name = "node", .network = plan::pipelined(5.0e-7, 1.0e-7, 4.0e-10), .leaving = {}}};
  machine.reduce_overhead = 1.0e-8;
  machine.reduce_byte_time = 1.0e-9;
  const auto p = plan::multiplying_parameters(machine, 8);
  EXPECT_EQ(p.bytes, 8);
  EXPECT_EQ(p.pipelining_latency, 500'000);
  EXPECT_EQ(p.required_latency, 100'000);
  EXPECT_EQ(p.transfer, 3'200);
  EXPECT_EQ(p.combine_overhead, 10'000);
  EXPECT_EQ(p.combine, 8'000);
  machine.levels.clear();
  EXPECT_THROW(plan::multiplying_parameters(machine, 8), std::invalid_argument);
}

// The two fits of table 4.1 that no machine can have, and one that is free of charge.
TEST(MultiplyingCost, FitsThatAreNotPhysicalAreRefused) {
  EXPECT_THROW(plan::require_physical(plan::multiplying_parameters(-0.004)), std::invalid_argument);
  EXPECT_THROW(plan::require_physical({.pipelining_latency = 1, .required_latency = 0}),
               std::invalid_argument);
  EXPECT_NO_THROW(plan::require_physical(plan::multiplying_parameters(0.0)));
}

TEST(MultiplyingCost, Table53OfTheModel) {
  struct Row {
    int ranks;
    const char* stages;
    double doubling_us, multiplying_us;
    int messages;
  };
  const Row rows[] = {{4, "a4", 2.52, 2.02, 12},          {6, "a6", 5.04, 2.78, 30},
                      {8, "a2,a4", 3.78, 3.28, 32},       {12, "a3,a4", 6.30, 3.66, 60},
                      {16, "a4,a4", 5.04, 4.04, 96},      {24, "a4,a6", 7.56, 4.80, 192},
                      {32, "a8,a4", 6.30, 5.56, 320},     {48, "a8,a6", 8.82, 6.32, 576},
                      {64, "a8,a8", 7.56, 7.08, 896},     {96, "a8,a3,a4", 10.08, 7.20, 1152},
                      {128, "a8,a4,a4", 8.82, 7.58, 1664}};
  for (const Row& row : rows) {
    const plan::Stages stages = plan::parse_stages(row.stages);
    const plan::Stages doubling = plan::doubling_stages(row.ranks);
    EXPECT_EQ(plan::ranks_of(stages), row.ranks);
    EXPECT_EQ(plan::stages_time(stages, archer), plan::picoseconds(row.multiplying_us * 1e-6));
    EXPECT_EQ(plan::stages_time(doubling, archer), plan::picoseconds(row.doubling_us * 1e-6))
        << row.ranks;
    EXPECT_EQ(plan::stages_messages(stages, row.ranks), row.messages) << row.stages;
  }
}

TEST(MultiplyingCost, MessagesOf64Ranks) {
  EXPECT_EQ(plan::stages_messages(stages_of({4, 4, 4}), 64), 576);
  EXPECT_EQ(plan::stages_messages(plan::doubling_stages(64), 64), 384);
}

TEST(MultiplyingCost, MessagesOfMergesAndCollapses) {
  // 36 ranks send 3 + 3; 7 remaining ones send 4 and get 3.
  EXPECT_EQ(plan::stages_messages(stages_of({4, 3, 3}, 7), 43), 36 * (3 + 2 + 2) + 7 * 4 + 7 * 3);
  const int factors[] = {2, 2};
  EXPECT_EQ(plan::stages_messages(plan::collapsed_stages(6, 2, factors), 7), 3 + 4 + 4 + 3);
}

// The messages of the schedules themselves.
TEST(MultiplyingCost, MessagesAreThoseOfTheSchedules) {
  const auto chapter5 = plan::multiplying_parameters(2.911);
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (const plan::Stages& stages :
         {plan::doubling_stages(ranks), plan::heuristic_stages(ranks, chapter5),
          plan::plan_multiplying(ranks, chapter5).stages,
          plan::plan_multiplying(ranks, plan::multiplying_parameters(0.0)).stages}) {
      std::int64_t sends = 0;
      for (int me = 0; me < ranks; ++me) {
        const auto schedule = plan::allreduce::staged({.ranks = ranks, .me = me}, stages);
        sends += std::ranges::count_if(schedule.steps(), &plan::Step::sends);
      }
      EXPECT_EQ(plan::stages_messages(stages, ranks), sends)
          << ranks << ": " << plan::to_string(stages);
    }
}

TEST(MultiplyingCost, Table52) {
  struct Row {
    int ranks;
    plan::Stages stages;
    double cost;
  };
  const Row rows[] = {{11, stages_of({11}), 12.911},         {11, stages_of({3, 3}, 2), 11.822},
                      {19, stages_of({6, 3}, 1), 14.822},    {19, stages_of({4, 4}, 3), 13.822},
                      {22, stages_of({11, 2}), 16.822},      {22, stages_of({5, 4}, 2), 14.822},
                      {23, stages_of({11, 2}, 1), 18.822},   {23, stages_of({5, 4}, 3), 14.822},
                      {29, stages_of({4, 7}, 1), 16.822},    {29, stages_of({5, 5}, 4), 15.822},
                      {33, stages_of({3, 11}), 17.822},      {33, stages_of({5, 6}, 3), 16.822},
                      {34, stages_of({3, 11}, 1), 19.822},   {34, stages_of({6, 5}, 4), 16.822},
                      {41, stages_of({4, 5, 2}, 1), 18.733}, {41, stages_of({6, 6}, 5), 17.822},
                      {43, stages_of({6, 7}, 1), 18.822},    {43, stages_of({5, 4, 2}, 3), 18.733},
                      {44, stages_of({4, 11}), 18.822},      {44, stages_of({5, 4, 2}, 4), 18.733}};
  const auto parameters = plan::multiplying_parameters(2.911);
  for (const Row& row : rows) {
    EXPECT_EQ(plan::ranks_of(row.stages), row.ranks);
    EXPECT_EQ(plan::stages_time(row.stages, parameters), plan::picoseconds(row.cost))
        << plan::to_string(row.stages);
  }
}
