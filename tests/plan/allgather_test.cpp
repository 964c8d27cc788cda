// SPDX-License-Identifier: Apache-2.0
#include "collective_check.hpp"
#include "structure.hpp"

#include <cartwright/plan/algorithms/allgather.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace cartwright::plan {
namespace {

using allgather::LastRound;

struct Named {
  std::string name;
  test::Generator make;
};

std::vector<Named> step_by_step() {
  return {{"ring", allgather::ring},
          {"direct", allgather::direct},
          {"neighbour_exchange", allgather::neighbour_exchange},
          {"sparbit", allgather::sparbit}};
}

std::vector<Named> logarithmic() {
  std::vector<Named> all{{"recursive_doubling", allgather::recursive_doubling},
                         {"dissemination", allgather::dissemination}};
  for (int ports = 1; ports <= 8; ++ports)
    for (const LastRound last : {LastRound::greedy, LastRound::balanced})
      all.push_back(
          {"bruck " + std::to_string(ports) + (last == LastRound::greedy ? "" : " balanced"),
           [=](Team team) { return allgather::bruck(team, ports, last); }});
  return all;
}

void check(const Named& algorithm, int ranks, const std::vector<Count>& counts) {
  for (const Place place : {Place::separate, Place::in_place})
    EXPECT_EQ(test::check_allgather({ranks, place, algorithm.make}, counts), "")
        << algorithm.name << " of " << ranks << " ranks";
}

TEST(Allgather, IsRightForEveryNumberOfRanksAndUnevenBlocks) {
  for (const auto& algorithms : {step_by_step(), logarithmic()})
    for (const Named& algorithm : algorithms)
      for (int ranks = 1; ranks <= 64; ++ranks)
        for (const auto& counts : test::block_counts(ranks)) check(algorithm, ranks, counts);
}

// Every sixteenth rank has an element: P^2 x length stays small enough to be quick.
std::vector<Count> sparse(int ranks) {
  std::vector<Count> counts(static_cast<std::size_t>(ranks), 0);
  for (std::size_t r = 0; r < counts.size(); r += 16) counts[r] = 1;
  return counts;
}

TEST(Allgather, IsRightForManyRanks) {
  const auto algorithms = logarithmic();
  std::size_t next = 0;
  auto counts = test::random_ranks(60, 2500);
  for (const int more : test::random_ranks(4, 5000)) counts.push_back(more);
  for (const int ranks : counts) {
    const Named& algorithm = algorithms[next++ % algorithms.size()];
    EXPECT_EQ(test::check_allgather({ranks, Place::separate, algorithm.make}, sparse(ranks)), "")
        << algorithm.name << " of " << ranks << " ranks";
  }
}

TEST(Allgather, IsRightForManyRanksStepByStep) {
  const auto algorithms = step_by_step();  // P^2 steps: fewer ranks
  std::size_t next = 0;
  for (const int ranks : test::random_ranks(12, 400)) {
    const Named& algorithm = algorithms[next++ % algorithms.size()];
    check(algorithm, ranks, sparse(ranks));
  }
}

TEST(Allgather, BrucksChunksAreTheKnownOnes) {
  using Chunks = std::vector<std::vector<int>>;
  struct Row {
    int ranks;
    int ports;
    Chunks greedy;
    Chunks balanced;
  };
  const std::vector<Row> rows{
      {6, 2, {{1, 1}, {3}}, {{1, 1}, {2, 1}}},
      {7, 2, {{1, 1}, {3, 1}}, {{1, 1}, {2, 2}}},
      {10, 3, {{1, 1, 1}, {4, 2}}, {{1, 1, 1}, {2, 2, 2}}},
      {20, 3, {{1, 1, 1}, {4, 4, 4}, {4}}, {{1, 1, 1}, {4, 4, 4}, {2, 1, 1}}},
      {28, 2, {{1, 1}, {3, 3}, {9, 9}, {1}}, {{1, 1}, {3, 3}, {9, 9}, {1}}},
      {40, 3, {{1, 1, 1}, {4, 4, 4}, {16, 8}}, {{1, 1, 1}, {4, 4, 4}, {8, 8, 8}}}};
  for (const Row& row : rows)
    for (int me = 0; me < row.ranks; ++me) {
      const auto chunks = [&](LastRound last) {
        return test::received_blocks(allgather::bruck({row.ranks, me}, row.ports, last));
      };
      EXPECT_EQ(chunks(LastRound::greedy), row.greedy) << row.ranks << " ranks";
      EXPECT_EQ(chunks(LastRound::balanced), row.balanced) << row.ranks << " ranks";
    }
}

TEST(Allgather, BruckTakesTheFewestRoundsMessagesAndBlocks) {
  for (int ports = 1; ports <= 8; ++ports)
    for (int ranks = 2; ranks <= 200; ++ranks)
      for (const int me : {0, ranks / 2, ranks - 1}) {
        const Schedule schedule = allgather::bruck({ranks, me}, ports);
        const auto chunks = test::received_blocks(schedule);
        EXPECT_EQ(schedule.rounds(), test::rounds_of_base(ports + 1, ranks));
        int held = 1;
        for (const auto& round : chunks) {
          const int wanted = std::min(ports * held, ranks - held);
          EXPECT_EQ(static_cast<int>(round.size()), (wanted + held - 1) / held);
          held += std::accumulate(round.begin(), round.end(), 0);
        }
        EXPECT_EQ(held, ranks);
        EXPECT_EQ(schedule.extent(Buffer::scratch).count, ranks);
        EXPECT_EQ(schedule.scratch_buffers(), 1);
      }
}

TEST(Allgather, BruckSendsDownByPowersOfItsPorts) {
  for (int ports = 1; ports <= 4; ++ports) {
    const int ranks = (ports + 1) * (ports + 1) * (ports + 1);
    const Schedule schedule = allgather::bruck({ranks, 2}, ports);
    for (const Step& step : schedule.steps()) {
      if (!step.sends()) continue;
      int power = 1;
      for (int round = 0; round < step.round; ++round) power *= ports + 1;
      const int distance = (2 - step.peer + ranks) % ranks;
      EXPECT_EQ(distance % power, 0);
      EXPECT_LE(distance / power, ports);
    }
  }
}

TEST(Allgather, DisseminationSplitsOnlyWhatWraps) {
  int sends = 0;
  int most = 0;
  for (int me = 0; me < 32; ++me) {
    const int own = test::count_sends(allgather::dissemination({32, me}));
    sends += own;
    most = std::max(most, own);
  }
  EXPECT_EQ(sends, 186);
  EXPECT_EQ(most, 9);
  EXPECT_EQ(allgather::dissemination({32, 5}).scratch_buffers(), 0);
}

TEST(Allgather, NeighbourExchangeFollowsTheClosedForm) {
  for (int ranks = 2; ranks <= 40; ranks += 2)
    for (int r = 0; r < ranks; ++r) {
      const Schedule schedule = allgather::neighbour_exchange({ranks, r});
      EXPECT_EQ(schedule.rounds(), ranks / 2);
      for (const Step& step : schedule.steps()) {
        if (!step.receives() || step.round == 0) continue;
        const int t = step.round;
        const int e = r - r % 2;
        const int b =
            r % 2 == 0 ? (t % 2 == 1 ? r - (t + 1) : r + t) : (t % 2 == 1 ? e + (t + 1) : e - t);
        EXPECT_EQ(step.target(), (Slice{Buffer::output, ((b % ranks) + ranks) % ranks, 2}));
      }
    }
}

TEST(Allgather, RoundsAreThoseOfTheFormulas) {
  EXPECT_EQ(allgather::ring({5, 0}).rounds(), 4);
  EXPECT_EQ(test::count_sends(allgather::direct({5, 0})), 4);
  EXPECT_EQ(allgather::direct({5, 0}).rounds(), 1);
  EXPECT_EQ(allgather::neighbour_exchange({6, 0}).rounds(), 3);
  EXPECT_EQ(allgather::neighbour_exchange({7, 0}).rounds(), 6);
  EXPECT_EQ(allgather::recursive_doubling({8, 0}).rounds(), 3);
  EXPECT_EQ(allgather::recursive_doubling({5, 0}).rounds(), 4);
  EXPECT_EQ(allgather::recursive_doubling({12, 0}).rounds(), 5);
  EXPECT_EQ(allgather::recursive_doubling({33, 0}).rounds(), 7);
  EXPECT_EQ(allgather::bruck({6, 0}, 2).rounds(), 2);
  for (int ranks = 2; ranks <= 64; ++ranks) {
    const int rounds = test::rounds_of_base(2, ranks);
    EXPECT_EQ(allgather::dissemination({ranks, 0}).rounds(), rounds);
    EXPECT_EQ(allgather::sparbit({ranks, 0}).rounds(), rounds);
    EXPECT_EQ(test::count_sends(allgather::sparbit({ranks, 0})), ranks - 1);
  }
}

// Neither the ring nor those that write straight into the result need memory of their own.
TEST(Allgather, OnlyBruckNeedsScratchMemory) {
  for (const Named& algorithm : step_by_step())
    EXPECT_EQ(algorithm.make({12, 5}).scratch_buffers(), 0) << algorithm.name;
  EXPECT_EQ(allgather::recursive_doubling({12, 5}).scratch_buffers(), 0);
}

TEST(Allgather, BruckNeedsAPort) {
  EXPECT_THROW(allgather::bruck({4, 0}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
