// SPDX-License-Identifier: Apache-2.0
// Rüfenacht 2020, sections 5.3 and 5.5.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <functional>
#include <stdexcept>
#include <vector>

namespace plan = cartwright::plan;

namespace {

using Factors = std::vector<int>;

/// His chapter 5, whose parameters are hidden but for c; and table 4.1.
const auto chapter5 = plan::multiplying_parameters(2.911);
const plan::MultiplyingParameters archer{
    .bytes = 8, .pipelining_latency = 880'000, .required_latency = 380'000};

struct Row {
  int ranks;
  Factors factors;
  int remainders = 0;
};

void expect_heuristic(const std::vector<Row>& rows, const plan::MultiplyingParameters& parameters) {
  for (const Row& row : rows)
    EXPECT_EQ(
        plan::to_string(plan::heuristic_stages(row.ranks, parameters)),
        plan::to_string(row.remainders == 0 ? plan::factor_stages(row.factors)
                                            : plan::merged_stages(row.factors, row.remainders)))
        << row.ranks;
}

}  // namespace

TEST(MultiplyingHeuristic, OrderOfFactors) {
  EXPECT_EQ(plan::factor_candidates(chapter5, 1000), (Factors{4, 5, 6, 3, 7, 8, 9, 10, 11, 12, 2}));
  EXPECT_EQ(plan::factor_candidates(archer, 1000), (Factors{4, 5, 3, 6, 7, 8, 9, 2}));
  EXPECT_EQ(plan::factor_candidates(archer, 1000, plan::FactorOrder::largest_first),
            (Factors{9, 8, 7, 6, 5, 4, 3, 2}));
  EXPECT_EQ(plan::factor_candidates(archer, 5), (Factors{4, 5, 3, 2}));
}

TEST(MultiplyingHeuristic, LargestFactorIsThatOfTable41) {
  EXPECT_EQ(plan::largest_useful_factor(chapter5, 1000), 12);
  const struct {
    plan::Picoseconds a_p, a_r;
    int largest;  // floor(b_upper) + 1
  } rows[] = {{880'000, 380'000, 9},  {890'000, 380'000, 9}, {910'000, 380'000, 9},
              {960'000, 460'000, 8},  {960'000, 790'000, 4}, {860'000, 2'170'000, 2},
              {680'000, 7'750'000, 2}};
  for (const auto& row : rows)
    EXPECT_EQ(plan::largest_useful_factor(
                  {.pipelining_latency = row.a_p, .required_latency = row.a_r}, 1000),
              row.largest)
        << row.a_p << '/' << row.a_r;
}

TEST(MultiplyingHeuristic, BestFactorSwitches) {
  const struct {
    double c;
    int before, after;
  } switches[] = {{0.7095, 2, 3}, {1.819, 3, 4}, {3.213, 4, 5},
                  {4.827, 5, 6},  {6.623, 6, 7}, {8.573, 7, 8}};
  for (const auto& s : switches) {
    EXPECT_EQ(plan::factor_candidates(plan::multiplying_parameters(s.c - 0.001), 100).front(),
              s.before);
    EXPECT_EQ(plan::factor_candidates(plan::multiplying_parameters(s.c + 0.001), 100).front(),
              s.after);
  }
}

// Factors 2 and 4 cost the same at c = 1; a rounding error must not decide.
TEST(MultiplyingHeuristic, TiesGoToTheSmallerFactor) {
  EXPECT_EQ(plan::factor_candidates(plan::multiplying_parameters(1.0), 100), (Factors{3, 2, 4}));
}

TEST(MultiplyingHeuristic, Table51) {
  const Row rows[] = {{10, {5, 2}},    {16, {4, 4}},    {36, {4, 3, 3}},        {48, {4, 4, 3}},
                      {60, {5, 4, 3}}, {80, {5, 4, 4}}, {1024, {4, 4, 4, 4, 4}}};
  for (const Row& row : rows) {
    Factors factors;
    for (const plan::Stage& stage : plan::heuristic_stages(row.ranks, chapter5)) {
      EXPECT_EQ(stage.kind, plan::StageKind::factor);
      factors.push_back(stage.factor);
    }
    std::ranges::sort(factors, std::greater());
    EXPECT_EQ(factors, row.factors);
  }
  EXPECT_EQ(plan::doubling_stages(16), plan::factor_stages(Factors(4, 2)));
  EXPECT_EQ(plan::doubling_stages(1024), plan::factor_stages(Factors(10, 2)));
}

TEST(MultiplyingHeuristic, Table52) {
  expect_heuristic({{11, {11}},
                    {19, {6, 3}, 1},
                    {22, {11, 2}},
                    {23, {11, 2}, 1},
                    {29, {4, 7}, 1},
                    {33, {3, 11}},
                    {34, {3, 11}, 1},
                    {41, {4, 5, 2}, 1},
                    {43, {6, 7}, 1},
                    {44, {4, 11}}},
                   chapter5);
}

TEST(MultiplyingHeuristic, MoreOfChapter5) {
  expect_heuristic({{1, {}},
                    {2, {2}},
                    {7, {7}},
                    {8, {4, 2}},
                    {12, {4, 3}},
                    {13, {4, 3}, 1},
                    {16, {4, 4}},
                    {17, {4, 4}, 1},
                    {24, {4, 6}},
                    {26, {5, 5}, 1},
                    {31, {5, 6}, 1},
                    {32, {4, 4, 2}},
                    {38, {4, 3, 3}, 2},
                    {47, {5, 3, 3}, 2},
                    {53, {5, 5, 2}, 3},
                    {59, {4, 7, 2}, 3},
                    {62, {4, 5, 3}, 2},
                    {63, {3, 3, 7}},
                    {64, {4, 4, 4}},
                    {96, {4, 4, 6}},
                    {97, {4, 4, 6}, 1},
                    {122, {11, 11}, 1},
                    {127, {6, 3, 7}, 1},
                    {128, {4, 4, 4, 2}},
                    {1000, {4, 5, 5, 5, 2}},
                    {1023, {4, 4, 3, 3, 7}, 15},
                    {1024, {4, 4, 4, 4, 4}},
                    {4920, {4, 5, 5, 7, 7}, 20}},
                   chapter5);
}

TEST(MultiplyingHeuristic, TheSameWithTable41) {
  expect_heuristic({{6, {3, 2}},
                    {24, {4, 3, 2}},
                    {31, {5, 3, 2}, 1},
                    {96, {4, 4, 3, 2}},
                    {127, {3, 3, 7, 2}, 1},
                    {7, {7}},
                    {12, {4, 3}},
                    {13, {4, 3}, 1},
                    {64, {4, 4, 4}},
                    {128, {4, 4, 4, 2}}},
                   archer);
}

// With factor 2 alone, 3 = (2) + 1 has no last stage besides the first.
TEST(MultiplyingHeuristic, MergesHaveAtLeastTwoFactors) {
  const auto slow_sends = plan::multiplying_parameters(0.1);
  EXPECT_EQ(plan::largest_useful_factor(slow_sends, 1000), 2);
  expect_heuristic({{3, {3}}, {5, {2, 2}, 1}, {7, {2, 2}, 3}}, slow_sends);
}

TEST(MultiplyingHeuristic, SuitsEveryNumberOfRanks) {
  for (const double c : {0.0, 0.1, 0.8, 1.0, 2.316, 2.911, 5.0, 50.0, 1.0e6})
    for (const auto order : {plan::FactorOrder::quickest_first, plan::FactorOrder::largest_first})
      for (int ranks = 2; ranks <= 1100; ranks += c > 100 ? 7 : 1)
        ASSERT_EQ(
            plan::ranks_of(plan::heuristic_stages(ranks, plan::multiplying_parameters(c), order)),
            ranks)
            << "c = " << c;
  for (int ranks = 2; ranks <= 1100; ++ranks)
    ASSERT_EQ(plan::ranks_of(plan::doubling_stages(ranks)), ranks);
}

TEST(MultiplyingHeuristic, RefusesWhatCantBe) {
  EXPECT_THROW(plan::heuristic_stages(0, chapter5), std::invalid_argument);
  EXPECT_THROW(plan::doubling_stages(-1), std::invalid_argument);
  EXPECT_THROW(plan::heuristic_stages(4, plan::multiplying_parameters(-1.0)),
               std::invalid_argument);
}
