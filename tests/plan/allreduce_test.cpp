// SPDX-License-Identifier: Apache-2.0
// Every allreduce on every number of ranks: each contribution once, in order where promised, the
// same expression on all ranks; rounds and messages as the literature's formulas.
#include "collective_check.hpp"
#include "factorisations.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>

namespace cartwright::plan {
namespace {

using test::Generator;
using test::Order;

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

struct Traffic {
  int messages = 0;
  Count blocks = 0;
  int rounds = 0;
  int most_sends = 0;  // of one rank
};

Traffic traffic(int ranks, const Generator& make) {
  Traffic sum;
  for (int r = 0; r < ranks; ++r) {
    const Schedule schedule = make({ranks, r});
    int sends = 0;
    for (const Step& step : schedule.steps())
      if (step.sends()) {
        ++sends;
        sum.blocks += step.count;
      }
    sum.messages += sends;
    sum.most_sends = std::max(sum.most_sends, sends);
    sum.rounds = schedule.rounds();
  }
  return sum;
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
      if (make({ranks, 0}).steps().size() > 300) continue;
      ASSERT_EQ(
          test::check_allreduce({ranks, Place::separate, make}, std::min<Count>(most, 7), order),
          "")
          << name << ", " << ranks << " ranks";
    }
  }
  // As many messages as the square of the ranks.
  for (const int ranks : test::random_ranks(8, 300))
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

TEST(RecursiveMultiplying, WithEveryOrderedFactorisation) {
  int schedules = 0;
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (const auto& factors : test::ordered_factorisations(ranks)) {
      ++schedules;
      const Generator make = [&](Team team) {
        return allreduce::recursive_multiplying(team, factors);
      };
      const Generator split = [&](Team team) {
        return allreduce::split_multiplying(team, factors);
      };
      for (const Place place : {Place::separate, Place::in_place}) {
        ASSERT_EQ(test::check_allreduce({ranks, place, make}, 2, Order::any_operator), "")
            << to_string(factor_stages(factors));
        ASSERT_EQ(test::check_allreduce({ranks, place, split}, ranks + 1, Order::any_operator), "")
            << to_string(factor_stages(factors));
      }
      if (ranks == 1) continue;  // a copy
      int peers = 0;
      for (const int factor : factors) peers += factor - 1;
      const Traffic whole = traffic(ranks, make);
      EXPECT_EQ(whole.rounds, static_cast<int>(factors.size()));
      EXPECT_EQ(whole.messages, ranks * peers);
      EXPECT_EQ(whole.most_sends, peers);
      const Traffic parts = traffic(ranks, split);
      EXPECT_EQ(parts.rounds, 2 * static_cast<int>(factors.size()));
      EXPECT_EQ(parts.messages, 2 * ranks * peers);
      EXPECT_EQ(parts.blocks, 2 * ranks * (ranks - 1));
    }
  EXPECT_EQ(schedules, 441);  // as Rüfenacht's, counted independently
}

TEST(RecursiveMultiplying, MessagesOfTheLiterature) {
  const auto messages = [](std::vector<int> factors) {
    const int ranks = std::accumulate(factors.begin(), factors.end(), 1, std::multiplies{});
    return traffic(ranks,
                   [&](Team team) { return allreduce::recursive_multiplying(team, factors); })
        .messages;
  };
  EXPECT_EQ(messages({4, 4, 4}), 576);
  EXPECT_EQ(messages({2, 2, 2, 2, 2, 2}), 384);
  EXPECT_EQ(messages({8, 8}), 896);
  EXPECT_EQ(messages({8, 3, 4}), 1152);
  EXPECT_EQ(messages({8, 4, 4}), 1664);
}

TEST(RecursiveMultiplying, RefusesFactorsThatDontFit) {
  const auto make = [](int ranks, std::vector<int> factors) {
    return allreduce::recursive_multiplying({ranks, 0}, factors);
  };
  EXPECT_THROW(make(6, {3, 1, 2}), std::invalid_argument);
  EXPECT_THROW(make(6, {3}), std::invalid_argument);
  EXPECT_THROW(make(6, {3, 2, 2}), std::invalid_argument);
  EXPECT_THROW(make(6, {}), std::invalid_argument);
  EXPECT_THROW(make(6, {-3, -2}), std::invalid_argument);
  EXPECT_THROW(make(6, {65536, 65536}), std::invalid_argument);
  EXPECT_EQ(make(1, {}).steps().size(), 1u);
}

TEST(RecursiveMultiplying, TakesAFactorOfThousands) {
  const int factors[] = {4999};
  const Schedule schedule = allreduce::recursive_multiplying({4999, 2500}, factors);
  EXPECT_EQ(schedule.steps().size(), 3u * 4998u);
  EXPECT_EQ(schedule.scratch_buffers(), 4998);
}

TEST(RecursiveMultiplying, OverwritesNothingThatIsBeingSentInTheSameStage) {
  const int factors[] = {4, 2, 3, 2};
  for (const Place place : {Place::separate, Place::in_place})
    for (int r = 0; r < 48; ++r) {
      const Schedule schedule = allreduce::recursive_multiplying({48, r, place}, factors);
      std::vector<Step> sends;
      for (const Step& step : schedule.steps()) {
        if (step.sends()) sends.push_back(step);
        for (const Step& send : sends)
          EXPECT_FALSE(step.writes() && send.round == step.round &&
                       send.source_buffer == step.target_buffer);
      }
    }
}

std::string check_stages(const Stages& stages, Place place) {
  const Generator make = [&](Team team) { return allreduce::staged(team, stages); };
  const int ranks = ranks_of(stages);
  const auto wrong = test::check_allreduce({ranks, place, make}, 1, Order::any_operator);
  return wrong.empty() ? wrong : to_string(stages) + ": " + wrong;
}

// Threads of a long test: all schedules are run where CARTWRIGHT_ALL_SCHEDULES is set.
bool runs_all() {
  return std::getenv("CARTWRIGHT_ALL_SCHEDULES") != nullptr;
}

Place alternating(int number) {
  return number % 2 == 0 ? Place::separate : Place::in_place;
}

TEST(Staged, CollapsesWithEveryThresholdAndBase) {
  int schedules = 0;
  for (int ranks = 2; ranks <= 64; ++ranks)
    for (int base = 2; base <= 5; ++base)
      for (int threshold = base; threshold <= ranks; threshold += base) {
        const int core = ranks - threshold / base * (base - 1);
        for (const auto& factors : test::ordered_factorisations(core)) {
          const Stages stages = collapsed_stages(threshold, base, factors);
          ASSERT_EQ(ranks_of(stages), ranks);
          if (++schedules % 3 != 0 && !runs_all()) continue;
          ASSERT_EQ(check_stages(stages, alternating(schedules)), "");
          const Traffic all =
              traffic(ranks, [&](Team team) { return allreduce::staged(team, stages); });
          int expected = 2 * (threshold / base) * (base - 1);
          for (const int factor : factors) expected += core * (factor - 1);
          EXPECT_EQ(all.messages, expected) << to_string(stages);
          EXPECT_EQ(all.rounds, static_cast<int>(factors.size()) + 2);
        }
      }
  RecordProperty("schedules", schedules);
}

TEST(Staged, MergesEveryNumberOfRemainingRanks) {
  int schedules = 0;
  for (int ranks = 5; ranks <= 64; ++ranks)
    for (int remainders = 1; remainders <= ranks - 4; ++remainders)
      for (const auto& factors : test::ordered_factorisations(ranks - remainders)) {
        if (factors.size() < 2) continue;
        const Stages stages = merged_stages(factors, remainders);
        ASSERT_EQ(ranks_of(stages), ranks);
        if (++schedules % 3 != 0 && !runs_all()) continue;
        ASSERT_EQ(check_stages(stages, alternating(schedules)), "");
        const int core = ranks - remainders;
        int expected = remainders * (factors.front() + factors.back());
        int peers = 0;
        for (const int factor : factors) peers += factor - 1;
        const Traffic all =
            traffic(ranks, [&](Team team) { return allreduce::staged(team, stages); });
        EXPECT_EQ(all.messages, expected + core * peers) << to_string(stages);
        EXPECT_EQ(all.rounds, static_cast<int>(factors.size()));
        const int groups = core / factors.back();
        EXPECT_EQ(all.most_sends,
                  std::max(peers + (remainders + groups - 1) / groups, factors.front()));
      }
  EXPECT_EQ(schedules, 7886);  // as counted independently
}

TEST(Staged, MergesBetweenCollapseAndExpansion) {
  for (const char* text : {"c2m2,m1g2a3,n1g3a2,e2m2", "c6m3,m3g2a2,n3g2a2,e6m3",
                           "c14m2,m1g2a3,n1g3a2,e14m2", "c10m5,m5g6a2,a3,n5g6a2,e10m5"})
    for (const Place place : {Place::separate, Place::in_place})
      EXPECT_EQ(check_stages(parse_stages(text), place), "");
}

TEST(Staged, OnManyRanks) {
  for (const int ranks : test::random_ranks(64, 5000)) {
    const int core = 1 << floor_log2(ranks - 1);
    std::vector<int> factors(static_cast<std::size_t>(floor_log2(core) / 2), 4);
    if (floor_log2(core) % 2 == 1) factors.push_back(2);
    EXPECT_EQ(check_stages(merged_stages(factors, ranks - core), Place::in_place), "");
    EXPECT_EQ(check_stages(collapsed_stages(2 * (ranks - core), 2, factors), Place::separate), "");
  }
}

TEST(Staged, IsForTheRanksThatItSays) {
  EXPECT_THROW(allreduce::staged({8, 0}, parse_stages("m1g2a3,n1g3a2")), std::invalid_argument);
  EXPECT_EQ(allreduce::staged({7, 0}, parse_stages("m1g2a3,n1g3a2")).rounds(), 2);
  EXPECT_EQ(allreduce::staged({1, 0}, {}).steps().size(), 1u);
}

}  // namespace
}  // namespace cartwright::plan
