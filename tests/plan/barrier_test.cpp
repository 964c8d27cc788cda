// SPDX-License-Identifier: Apache-2.0
#include "collective_check.hpp"
#include "structure.hpp"

#include <cartwright/plan/algorithms/barrier.hpp>
#include <cartwright/plan/validate.hpp>

#include <gtest/gtest.h>

#include <set>

namespace cartwright::plan {
namespace {

TEST(Barrier, NobodyLeavesBeforeAllHaveEntered) {
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (int ways = 1; ways <= 8; ++ways)
      EXPECT_EQ(
          test::check_barrier({ranks, Place::separate,
                               [ways](Team team) { return barrier::dissemination(team, ways); }}),
          "")
          << ranks << " ranks, " << ways << " ways";
}

TEST(Barrier, NobodyLeavesBeforeAllOfManyRanksHaveEntered) {
  int ways = 0;
  for (const int ranks : test::random_ranks(64, 1500)) {
    ways = ways % 8 + 1;
    EXPECT_EQ(
        test::check_barrier({ranks, Place::separate,
                             [ways](Team team) { return barrier::dissemination(team, ways); }}),
        "")
        << ranks << " ranks, " << ways << " ways";
  }
}

TEST(Barrier, SignalsByPowersOfItsWays) {
  for (int ranks = 1; ranks <= 130; ++ranks)
    for (int ways = 1; ways <= 8; ++ways) {
      const int me = ranks / 3;
      const Schedule schedule = barrier::dissemination({ranks, me}, ways);
      EXPECT_EQ(schedule.rounds(), test::rounds_of_base(ways + 1, ranks));
      std::set<int> seen;
      for (const Step& step : schedule.steps()) {
        if (!step.sends()) continue;
        int power = 1;
        for (int round = 0; round < step.round; ++round) power *= ways + 1;
        const int distance = (step.peer - me + ranks) % ranks;
        EXPECT_EQ(distance % power, 0);
        EXPECT_GE(distance / power, 1);
        EXPECT_LE(distance / power, ways);
        EXPECT_TRUE(seen.insert(distance).second) << "nobody is told twice";
      }
    }
}

TEST(Barrier, EachSignalCarriesAllThatCameBefore) {
  const Schedule schedule = barrier::dissemination({9, 0}, 2);
  std::vector<int> sent;
  for (const Step& step : schedule.steps())
    if (step.sends()) sent.push_back(step.count);
  EXPECT_EQ(sent, (std::vector<int>{1, 1, 3, 3}));
}

// Ranks of which rank 0 knows (fan_in), or that know of rank 0 (fan_out).
int reached(int ranks, int ways, Schedule (*make)(Team, int), bool in) {
  std::vector<Schedule> schedules;
  for (int r = 0; r < ranks; ++r) schedules.push_back(make({ranks, r}, ways));
  const std::vector<Layout> layouts(schedules.size(), Cuts::uniform(schedules[0].blocks(), 0));
  EXPECT_TRUE(faults(schedules, layouts).empty());
  std::vector<std::set<int>> known(schedules.size());
  for (int r = 0; r < ranks; ++r) known[static_cast<std::size_t>(r)] = {r};
  for (int round = 0; round < schedules[0].rounds(); ++round) {
    const auto before = known;
    for (int r = 0; r < ranks; ++r)
      for (const Step& step : schedules[static_cast<std::size_t>(r)].steps())
        if (step.receives() && step.round == round)
          known[static_cast<std::size_t>(r)].insert(
              before[static_cast<std::size_t>(step.peer)].begin(),
              before[static_cast<std::size_t>(step.peer)].end());
  }
  if (in) return static_cast<int>(known[0].size());
  return static_cast<int>(
      std::ranges::count_if(known, [](const auto& k) { return k.contains(0); }));
}

TEST(Barrier, FansInAndOut) {
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (int ways = 1; ways <= 8; ++ways) {
      EXPECT_EQ(reached(ranks, ways, barrier::fan_in, true), ranks);
      EXPECT_EQ(reached(ranks, ways, barrier::fan_out, false), ranks);
      int sends = 0;
      for (int r = 0; r < ranks; ++r) sends += test::count_sends(barrier::fan_in({ranks, r}, ways));
      EXPECT_EQ(sends, ranks - 1);
      EXPECT_EQ(barrier::fan_out({ranks, 0}, ways).rounds(), test::rounds_of_base(ways + 1, ranks));
    }
}

TEST(Barrier, NeedsAWay) {
  EXPECT_THROW(barrier::dissemination({4, 0}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
