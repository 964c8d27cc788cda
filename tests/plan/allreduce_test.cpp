// SPDX-License-Identifier: Apache-2.0
// Every allreduce on every number of ranks: each contribution once, in order where promised, the
// same expression on all ranks; rounds and messages as the literature's formulas.
#include "collective_check.hpp"
#include "traffic.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace cartwright::plan {
namespace {

using test::Generator;
using test::Order;
using test::traffic;
using test::Traffic;

std::vector<int> prime_factors(int number) {
  std::vector<int> factors;
  for (int f = 2; number > 1; ++f)
    for (; number % f == 0; number /= f) factors.push_back(f);
  return factors;
}

struct Algorithm {
  const char* name;
  Generator make;
  Order order = Order::any_operator;
};

std::vector<Algorithm> few_rounds() {
  return {
      {"fan_in_fan_out", allreduce::fan_in_fan_out},
      {"star", allreduce::star},
      {"recursive_doubling", allreduce::recursive_doubling},
      {"rabenseifner", allreduce::rabenseifner},
      {"elimination", allreduce::elimination},
      {"multiplying",
       [](Team team) { return allreduce::recursive_multiplying(team, prime_factors(team.ranks)); }},
  };
}

std::vector<Algorithm> many_rounds() {
  return {
      {"ring", allreduce::ring, Order::commutative},
      {"splitting",
       [](Team team) { return allreduce::split_multiplying(team, prime_factors(team.ranks)); }},
  };
}

std::vector<Algorithm> all() {
  auto algorithms = few_rounds();
  for (auto& algorithm : many_rounds()) algorithms.push_back(algorithm);
  return algorithms;
}

int floor_log2(int number) {
  return std::bit_width(static_cast<unsigned>(number)) - 1;
}
int ceil_log2(int number) {
  return number == 1 ? 0 : floor_log2(number - 1) + 1;
}

TEST(Allreduce, OnEveryNumberOfRanks) {
  for (const auto& [name, make, order] : all())
    for (int ranks = 1; ranks <= 64; ++ranks)
      for (const Place place : {Place::separate, Place::in_place})
        for (const Count elements : test::lengths(ranks))
          ASSERT_EQ(test::check_allreduce({ranks, place, make}, elements, order), "")
              << name << ", " << ranks << " ranks, " << elements << " elements";
}

TEST(Allreduce, OnManyRanks) {
  for (const int ranks : test::random_ranks(64, 5000)) {
    const auto most = static_cast<Count>(1e8) / ranks / ranks;
    for (const auto& [name, make, order] : few_rounds()) {
      // A prime number of thousands would be one stage with as many messages a rank.
      const Schedule first = make({ranks, 0});
      if (first.steps().size() > 100) continue;
      ASSERT_EQ(
          test::check_allreduce({ranks, Place::separate, make}, std::min<Count>(most, 7), order),
          "")
          << name << ", " << ranks << " ranks";
    }
  }
  // As many messages as the square of the ranks.
  for (const int ranks : test::random_ranks(8, 200))
    for (const auto& [name, make, order] : many_rounds())
      ASSERT_EQ(test::check_allreduce({ranks, Place::in_place, make}, 2 * ranks + 1, order), "")
          << name << ", " << ranks << " ranks";
}

TEST(Allreduce, RoundsAndMessagesAreTheFormulas) {
  for (int ranks = 2; ranks <= 300; ++ranks) {
    const int core = 1 << floor_log2(ranks);
    const int folded = ranks - core;
    const int logarithm = floor_log2(ranks);

    const Traffic tree = traffic(ranks, allreduce::fan_in_fan_out);
    EXPECT_EQ(tree.rounds, 2 * ceil_log2(ranks));
    EXPECT_EQ(tree.messages, 2 * (ranks - 1));

    const Traffic doubling = traffic(ranks, allreduce::recursive_doubling);
    EXPECT_EQ(doubling.rounds, logarithm + (folded > 0 ? 2 : 0));
    EXPECT_EQ(doubling.messages, core * logarithm + 2 * folded);

    const Traffic halving = traffic(ranks, allreduce::rabenseifner);
    EXPECT_EQ(halving.rounds, 2 * logarithm + (folded > 0 ? 2 : 0));
    EXPECT_EQ(halving.messages, 2 * core * logarithm + 2 * folded);
    EXPECT_EQ(halving.blocks, 2 * core * (core - 1) + 2 * folded * core);

    const Traffic eliminated = traffic(ranks, allreduce::elimination);
    const int threes = std::min(folded, core - folded);
    const int pairs = folded - threes;
    EXPECT_EQ(eliminated.rounds, (pairs > 0 ? 1 : 0) + logarithm + (folded > 0 ? 1 : 0));
    EXPECT_LE(eliminated.rounds, ceil_log2(ranks) + 1);
    EXPECT_EQ(eliminated.messages, core * logarithm + 2 * pairs + 3 * threes);
    if (ranks > 100) continue;

    const Traffic ring = traffic(ranks, allreduce::ring);
    EXPECT_EQ(ring.rounds, 2 * (ranks - 1));
    EXPECT_EQ(ring.messages, 2 * ranks * (ranks - 1));
    EXPECT_EQ(ring.blocks, 2 * ranks * (ranks - 1));
  }
}

}  // namespace
}  // namespace cartwright::plan
