// SPDX-License-Identifier: Apache-2.0
#include "rooted_sweep.hpp"

#include <cartwright/plan/algorithms/gather.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace cartwright::plan {
namespace {

using test::RootedGenerator;

struct Algorithm {
  const char* name;
  RootedGenerator make;
};

void PrintTo(const Algorithm& algorithm, std::ostream* out) {
  *out << algorithm.name;
}

RootedGenerator n_way(int k) {
  return [k](Team team, Root root) { return gather::n_way_binomial(team, root, k); };
}

// The table has to live as long as the generator.
RootedGenerator optimal(SplitCosts costs) {
  return [table = std::make_shared<SplitTable>(5000, costs)](Team team, Root root) {
    return gather::optimal(team, root, *table);
  };
}

std::vector<Algorithm> algorithms() {
  return {{"linear", gather::linear},
          {"recursive_splitting", gather::recursive_splitting},
          {"n_way_2", n_way(2)},
          {"n_way_3", n_way(3)},
          {"n_way_7", n_way(7)},
          {"n_way_100", n_way(100)},
          {"optimal", optimal({8, 3, 0})},
          {"optimal_bytes", optimal({8, 3, 1})},
          {"optimal_gap_longer", optimal({2, 9, 1})}};
}

class Gather : public testing::TestWithParam<Algorithm> {};

TEST_P(Gather, ToEveryRoot) {
  test::expect_every_root(GetParam().make, [](const test::Trial& trial, int root) {
    for (const auto& counts : test::block_counts(trial.ranks))
      if (auto wrong = test::check_gather(trial, root, counts); !wrong.empty()) return wrong;
    return std::string();
  });
}

TEST_P(Gather, OnManyRanks) {
  test::expect_random_ranks(5000, GetParam().make, [](const test::Trial& trial, int root) {
    std::vector<Count> counts(static_cast<std::size_t>(trial.ranks), 1);
    for (std::size_t i = 0; i < counts.size(); i += 3) counts[i] = static_cast<Count>(i % 4);
    return test::check_gather(trial, root, counts);
  });
}

INSTANTIATE_TEST_SUITE_P(, Gather, testing::ValuesIn(algorithms()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(GatherCounts, Messages) {
  for (const Algorithm& algorithm : algorithms())
    for (const int ranks : {1, 2, 9, 28, 32, 64})
      EXPECT_EQ(test::traffic(ranks, ranks / 2, algorithm.make).messages, ranks - 1)
          << algorithm.name;
}

// Scratch blocks of a rank.
int scratch_blocks(const Schedule& schedule) {
  int blocks = 0;
  for (int i = 0; i < schedule.scratch_buffers(); ++i)
    blocks += schedule.extent(static_cast<Buffer>(static_cast<int>(Buffer::scratch) + i)).count;
  return blocks;
}

TEST(GatherCounts, ScratchMemory) {
  for (int k = 1; k <= 8; ++k)
    for (int ranks = 1; ranks <= 70; ++ranks)
      for (const int root : {0, ranks / 2, ranks - 1})
        for (int me = 0; me < ranks; ++me) {
          const Schedule schedule = gather::n_way_binomial({ranks, me}, {root}, k);
          const bool passes_on = std::ranges::any_of(schedule.steps(), &Step::receives);
          EXPECT_LE(scratch_blocks(schedule), me == root || !passes_on ? 0 : (ranks + k) / (k + 1))
              << ranks << " ranks, rank " << me << ", root " << root << ", k " << k;
        }
}

TEST(GatherRoot, ThrowsWithoutThatRoot) {
  EXPECT_THROW(gather::linear({4, 0}, {4}), std::invalid_argument);
  EXPECT_THROW(gather::n_way_binomial({4, 0}, {-1}, 2), std::invalid_argument);
  EXPECT_THROW(gather::n_way_binomial({4, 0}, {0}, 0), std::invalid_argument);
  EXPECT_THROW(gather::optimal({4, 0}, {0}, SplitTable(3, {})), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
