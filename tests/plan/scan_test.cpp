// SPDX-License-Identifier: Apache-2.0
// Every scan on every number of ranks.
#include "collective_check.hpp"
#include "traffic.hpp"

#include <cartwright/plan/algorithms/scan.hpp>

#include <gtest/gtest.h>

namespace cartwright::plan {
namespace {

struct Algorithm {
  const char* name;
  test::Generator make;
  bool inclusive;
  bool chain;
};

const Algorithm algorithms[] = {
    {"linear scan", scan::linear, true, true},
    {"doubling scan", scan::recursive_doubling, true, false},
    {"linear exscan", exscan::linear, false, true},
    {"doubling exscan", exscan::recursive_doubling, false, false},
};

TEST(Scan, OnEveryNumberOfRanks) {
  for (const auto& [name, make, inclusive, chain] : algorithms)
    for (int ranks = 1; ranks <= 64; ++ranks)
      for (const Place place : {Place::separate, Place::in_place})
        for (const Count elements : test::lengths(ranks))
          ASSERT_EQ(test::check_scan({ranks, place, make}, elements, inclusive), "")
              << name << ", " << ranks << " ranks, " << elements << " elements";
}

TEST(Scan, OnManyRanks) {
  for (const int ranks : test::random_ranks(64, 5000))
    for (const auto& [name, make, inclusive, chain] : algorithms) {
      const Place place = ranks % 2 == 0 ? Place::separate : Place::in_place;
      ASSERT_EQ(test::check_scan({ranks, place, make}, 1, inclusive), "")
          << name << ", " << ranks << " ranks";
    }
}

TEST(Scan, RoundsAndMessagesAreTheFormulas) {
  for (int ranks = 2; ranks <= 200; ++ranks)
    for (const auto& [name, make, inclusive, chain] : algorithms) {
      int expected_messages = chain ? ranks - 1 : 0;
      int expected_rounds = chain ? ranks - 1 : 0;
      if (!chain)
        for (int distance = 1; distance < ranks; distance *= 2) {
          ++expected_rounds;
          expected_messages += ranks - distance;
        }
      const auto sent = test::traffic(ranks, make);
      EXPECT_EQ(sent.rounds, expected_rounds) << name << ", " << ranks;
      EXPECT_EQ(sent.messages, expected_messages) << name << ", " << ranks;
    }
}

TEST(Exscan, LeavesTheOutputOfRankZeroAlone) {
  for (int ranks = 1; ranks <= 9; ++ranks)
    for (const auto& make : {exscan::linear, exscan::recursive_doubling}) {
      const Schedule schedule = make({ranks, 0});
      for (const Step& step : schedule.steps()) EXPECT_FALSE(step.writes());
    }
}

}  // namespace
}  // namespace cartwright::plan
