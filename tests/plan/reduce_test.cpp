// SPDX-License-Identifier: Apache-2.0
#include "rooted_sweep.hpp"

#include <cartwright/plan/algorithms/reduce.hpp>

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace cartwright::plan {
namespace {

using test::Order;
using test::RootedGenerator;

struct Algorithm {
  const char* name;
  RootedGenerator make;
  Order order = Order::any_operator;
  int most = 5000;  // ranks; fewer for those with P rounds
};

void PrintTo(const Algorithm& algorithm, std::ostream* out) {
  *out << algorithm.name;
}

// Prime factors of the ranks, or of the greatest smaller number whose factors are small.
std::vector<int> factors_for(int ranks, int greatest) {
  for (int product = ranks; product > 1; --product) {
    std::vector<int> factors;
    int rest = product;
    for (int factor = greatest; factor > 1; --factor)
      for (; rest % factor == 0; rest /= factor) factors.push_back(factor);
    if (rest == 1) return factors;
  }
  return {};
}

RootedGenerator radix(int greatest) {
  return [greatest, known = std::make_shared<std::map<int, std::vector<int>>>()](Team team,
                                                                                 Root root) {
    auto& factors = (*known)[team.ranks];
    if (factors.empty()) factors = factors_for(team.ranks, greatest);
    return reduce::radix(team, root, factors);
  };
}

RootedGenerator pipeline(int segments) {
  return [segments](Team team, Root root) { return reduce::pipeline(team, root, segments); };
}

std::vector<Algorithm> algorithms() {
  return {{"binomial", reduce::binomial},
          {"n_way_3", [](Team team, Root root) { return reduce::n_way_binomial(team, root, 3); }},
          {"butterfly", reduce::butterfly, Order::any_operator, 1500},
          {"radix_3", radix(3), Order::any_operator, 1500},
          {"radix_7", radix(7), Order::any_operator, 800},
          {"ring", reduce::ring, Order::commutative, 120},
          {"pipeline", pipeline(1)},
          {"pipeline_in_5", pipeline(5), Order::any_operator, 1500}};
}

class Reduce : public testing::TestWithParam<Algorithm> {};

TEST_P(Reduce, ToEveryRoot) {
  test::expect_every_root(GetParam().make, [](const test::Trial& trial, int root) {
    const int fewer = trial.place == Place::separate ? 1 : 0;
    return test::check_reduce(trial, root, trial.ranks - fewer, GetParam().order);
  });
}

TEST_P(Reduce, OfManyLengths) {
  test::expect_some_roots(GetParam().make, [](const test::Trial& trial, int root) {
    for (const Count elements : test::lengths(trial.ranks))
      if (auto wrong = test::check_reduce(trial, root, elements, GetParam().order); !wrong.empty())
        return wrong;
    return std::string();
  });
}

TEST_P(Reduce, OnManyRanks) {
  test::expect_random_ranks(
      GetParam().most, GetParam().make, [](const test::Trial& trial, int root) {
        return test::check_reduce(trial, root, test::short_enough(trial.ranks), GetParam().order);
      });
}

INSTANTIATE_TEST_SUITE_P(, Reduce, testing::ValuesIn(algorithms()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ReduceCounts, Messages) {
  for (const int ranks : {1, 2, 7, 8, 12, 27, 64}) {
    const int root = ranks / 2;
    EXPECT_EQ(test::traffic(ranks, root, reduce::binomial).messages, ranks - 1);
    EXPECT_EQ(test::traffic(ranks, root, pipeline(4)).messages, 4 * (ranks - 1));
    EXPECT_EQ(test::traffic(ranks, root, reduce::ring).messages, ranks * (ranks - 1) + ranks - 1);
  }
  // A log2 P each, and P - 1 of the gathering.
  EXPECT_EQ(test::traffic(64, 5, reduce::butterfly).messages, 64 * 6 + 63);
  EXPECT_EQ(test::traffic(45, 44, radix(5)).messages, 45 * (4 + 2 + 2) + 44);
  // 100 ranks: 36 neighbours come first.
  EXPECT_EQ(test::traffic(100, 3, reduce::butterfly).messages, 36 + 64 * 6 + 63);
}

TEST(ReduceCounts, Rounds) {
  EXPECT_EQ(reduce::binomial({33, 0}, {9}).rounds(), 6);
  EXPECT_EQ(reduce::butterfly({64, 0}, {9}).rounds(), 12);
  EXPECT_EQ(reduce::butterfly({65, 0}, {9}).rounds(), 13);
  EXPECT_EQ(reduce::radix({64, 0}, {9}, std::vector{4, 4, 4}).rounds(), 6);
  EXPECT_EQ(reduce::ring({9, 0}, {4}).rounds(), 8 + 4);
  EXPECT_EQ(reduce::pipeline({9, 0}, {0}, 6).rounds(), 8 + 5);
  EXPECT_EQ(reduce::pipeline({9, 0}, {4}, 6).rounds(), 4 + 5);
}

// Block i ends where the digits of i are reversed: what a rank holds before it passes it on.
TEST(ReduceCounts, RadixLeavesBlocksDigitReversed) {
  for (int me = 1; me < 12; ++me) {
    const Schedule schedule = reduce::radix({12, me}, {0}, std::vector{2, 3, 2});
    Slice held;
    for (const Step& step : schedule.steps())
      if (step.kind == StepKind::receive_combine) held = step.target();
    EXPECT_EQ(held.count, 1);
    EXPECT_EQ(held.first, (me % 2) * 6 + (me / 2 % 3) * 2 + me / 6) << me;
  }
}

TEST(ReduceRadix, OfOneFactor) {
  const auto make = [](Team team, Root root) {
    return reduce::radix(team, root, std::vector{team.ranks});
  };
  for (int ranks = 2; ranks <= 20; ++ranks)
    for (int root = 0; root < ranks; ++root)
      for (const Place place : {Place::separate, Place::in_place})
        EXPECT_EQ(test::check_reduce(test::rooted_trial(ranks, root, place, make), root,
                                     2 * ranks + 1, Order::any_operator),
                  "");
}

TEST(ReduceLimits, Throws) {
  EXPECT_THROW(reduce::binomial({4, 0}, {4}), std::invalid_argument);
  EXPECT_THROW(reduce::pipeline({4, 0}, {0}, 0), std::invalid_argument);
  EXPECT_THROW(reduce::radix({12, 0}, {0}, std::vector{5}), std::invalid_argument);
  EXPECT_THROW(reduce::radix({12, 0}, {0}, std::vector{13}), std::invalid_argument);
  EXPECT_THROW(reduce::radix({12, 0}, {0}, std::vector{12, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
