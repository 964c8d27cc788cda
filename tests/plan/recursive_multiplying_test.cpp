// SPDX-License-Identifier: Apache-2.0
// Allreduce in stages of factors, on every number of ranks: all ordered factorisations, collapses
// and merges.
#include "collective_check.hpp"
#include "factorisations.hpp"
#include "traffic.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

namespace cartwright::plan {
namespace {

using test::Generator;
using test::Order;
using test::traffic;
using test::Traffic;

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
  const Schedule alone = make(1, {});
  EXPECT_EQ(alone.steps().size(), 1u);
}

TEST(RecursiveMultiplying, TakesAFactorOfThousands) {
  const int factors[] = {4999};
  const Schedule schedule = allreduce::recursive_multiplying({4999, 2500}, factors);
  EXPECT_EQ(schedule.steps().size(), 3u * 4998u);
  EXPECT_EQ(schedule.scratch_buffers(), 4998);
  const int too_many[] = {70001};
  EXPECT_THROW(allreduce::recursive_multiplying({70001, 0}, too_many), std::length_error);
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

// Thousands of schedules: builds that are made for debugging run a third of them.
#ifdef NDEBUG
constexpr int one_of = 1;
#else
constexpr int one_of = 3;
#endif

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
          if (++schedules % one_of != 0) continue;
          ASSERT_EQ(check_stages(stages, alternating(schedules)), "");
          const Traffic all =
              traffic(ranks, [&](Team team) { return allreduce::staged(team, stages); });
          int expected = 2 * (threshold / base) * (base - 1);
          for (const int factor : factors) expected += core * (factor - 1);
          EXPECT_EQ(all.messages, expected) << to_string(stages);
          EXPECT_EQ(all.rounds, static_cast<int>(factors.size()) + 2);
        }
      }
  EXPECT_GT(schedules, 7727);  // counted independently without regard to the order of factors
}

TEST(Staged, MergesEveryNumberOfRemainingRanks) {
  int schedules = 0;
  for (int ranks = 5; ranks <= 64; ++ranks)
    for (int remainders = 1; remainders <= ranks - 4; ++remainders)
      for (const auto& factors : test::ordered_factorisations(ranks - remainders)) {
        if (factors.size() < 2) continue;
        const Stages stages = merged_stages(factors, remainders);
        ASSERT_EQ(ranks_of(stages), ranks);
        if (++schedules % one_of != 0) continue;
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
    const int logarithm = std::bit_width(static_cast<unsigned>(ranks - 1)) - 1;
    const int core = 1 << logarithm;
    std::vector<int> factors(static_cast<std::size_t>(logarithm / 2), 4);
    if (logarithm % 2 == 1) factors.push_back(2);
    const Stages stages = ranks % 2 == 0 ? merged_stages(factors, ranks - core)
                                         : collapsed_stages(2 * (ranks - core), 2, factors);
    EXPECT_EQ(check_stages(stages, alternating(ranks / 2)), "");
  }
}

TEST(Staged, IsForTheRanksThatItSays) {
  EXPECT_THROW(allreduce::staged({8, 0}, parse_stages("m1g2a3,n1g3a2")), std::invalid_argument);
  EXPECT_EQ(allreduce::staged({7, 0}, parse_stages("m1g2a3,n1g3a2")).rounds(), 2);
  const Schedule alone = allreduce::staged({1, 0}, {});
  EXPECT_EQ(alone.steps().size(), 1u);
}

}  // namespace
}  // namespace cartwright::plan
