// SPDX-License-Identifier: Apache-2.0
#include "collective_check.hpp"
#include "structure.hpp"

#include <cartwright/plan/algorithms/alltoall.hpp>

#include <gtest/gtest.h>

#include <bit>

namespace cartwright::plan {
namespace {

TEST(Alltoall, IsRightForEveryNumberOfRanks) {
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (const Place place : {Place::separate, Place::in_place})
      for (const Count each : {0, 1, 3}) {
        EXPECT_EQ(test::check_alltoall({ranks, place, alltoall::pairwise}, each), "") << ranks;
        EXPECT_EQ(test::check_alltoall({ranks, place, alltoall::linear}, each), "") << ranks;
        EXPECT_EQ(test::check_alltoall({ranks, place, alltoall::bruck}, each), "") << ranks;
      }
}

TEST(Alltoall, TakesBlocksThatAreCutDifferentlyAtBothEnds) {
  for (int ranks = 1; ranks <= 64; ++ranks) {
    EXPECT_EQ(test::check_alltoallv({ranks, Place::separate, alltoall::pairwise}), "") << ranks;
    EXPECT_EQ(test::check_alltoallv({ranks, Place::separate, alltoall::linear}), "") << ranks;
  }
}

TEST(Alltoall, IsRightForManyRanks) {
  for (const int ranks : test::random_ranks(8, 600)) {  // P^2 steps
    EXPECT_EQ(test::check_alltoall({ranks, Place::in_place, alltoall::bruck}, 1), "") << ranks;
    EXPECT_EQ(test::check_alltoall({ranks, Place::separate, alltoall::bruck}, 1), "") << ranks;
    EXPECT_EQ(test::check_alltoall({ranks, Place::separate, alltoall::pairwise}, 1), "") << ranks;
  }
}

TEST(Alltoall, BruckSendsTheSlotsWithABitInEachRound) {
  for (int ranks = 2; ranks <= 100; ++ranks) {
    const Schedule schedule = alltoall::bruck({ranks, 1});
    EXPECT_EQ(schedule.rounds(), test::rounds_of_base(2, ranks));
    const auto blocks = test::received_blocks(schedule);
    for (std::size_t round = 0; round < blocks.size(); ++round) {
      int slots = 0;
      for (int j = 0; j < ranks; ++j) slots += j >> round & 1;
      EXPECT_EQ(blocks[round], std::vector<int>{slots});
    }
  }
}

TEST(Alltoall, PairwiseSendsEachBlockOnce) {
  for (int ranks = 1; ranks <= 20; ++ranks) {
    EXPECT_EQ(alltoall::pairwise({ranks, 0}).rounds(), ranks - 1 + (ranks == 1 ? 1 : 0));
    EXPECT_EQ(test::count_sends(alltoall::pairwise({ranks, 0})), ranks - 1);
    EXPECT_EQ(alltoall::linear({ranks, 0}).rounds(), 1);
  }
}

}  // namespace
}  // namespace cartwright::plan
