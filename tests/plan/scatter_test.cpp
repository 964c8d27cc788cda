// SPDX-License-Identifier: Apache-2.0
#include "block_trees.hpp"
#include "structure.hpp"

#include <cartwright/plan/algorithms/scatter.hpp>

#include <gtest/gtest.h>

namespace cartwright::plan {
namespace {

using test::BlockTree;

std::vector<BlockTree> algorithms() {
  return test::block_trees(scatter::linear, scatter::recursive_splitting, scatter::n_way_binomial,
                           scatter::optimal);
}

class Scatter : public testing::TestWithParam<BlockTree> {};

TEST_P(Scatter, FromEveryRoot) {
  test::expect_every_root(GetParam().make, [](const test::Trial& trial, int root) {
    for (const auto& counts : test::block_counts(trial.ranks))
      if (auto wrong = test::check_scatter(trial, root, counts); !wrong.empty()) return wrong;
    return std::string();
  });
}

TEST_P(Scatter, OnManyRanks) {
  test::expect_random_ranks(5000, GetParam().make, [](const test::Trial& trial, int root) {
    std::vector<Count> counts(static_cast<std::size_t>(trial.ranks), 1);
    for (std::size_t i = 0; i < counts.size(); i += 3) counts[i] = static_cast<Count>(i % 4);
    return test::check_scatter(trial, root, counts);
  });
}

INSTANTIATE_TEST_SUITE_P(, Scatter, testing::ValuesIn(algorithms()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ScatterCounts, Messages) {
  for (const BlockTree& algorithm : algorithms())
    for (const int ranks : {1, 2, 9, 28, 32, 64})
      EXPECT_EQ(test::traffic(ranks, ranks / 2, algorithm.make).messages, ranks - 1)
          << algorithm.name;
}

TEST(ScatterCounts, ScratchMemory) {
  for (int k = 1; k <= 8; ++k)
    for (int ranks = 1; ranks <= 70; ++ranks)
      for (const int root : {0, ranks / 2, ranks - 1})
        for (int me = 0; me < ranks; ++me) {
          const Schedule schedule = scatter::n_way_binomial({ranks, me}, {root}, k);
          const bool passes_on = std::ranges::any_of(schedule.steps(), &Step::sends);
          EXPECT_LE(test::scratch_blocks(schedule),
                    me == root || !passes_on ? 0 : (ranks + k) / (k + 1))
              << ranks << " ranks, rank " << me << ", root " << root << ", k " << k;
        }
}

TEST(ScatterRoot, ThrowsWithoutThatRoot) {
  EXPECT_THROW(scatter::linear({4, 0}, {4}), std::invalid_argument);
  EXPECT_THROW(scatter::n_way_binomial({4, 0}, {-1}, 2), std::invalid_argument);
  EXPECT_THROW(scatter::n_way_binomial({4, 0}, {0}, 0), std::invalid_argument);
  EXPECT_THROW(scatter::optimal({4, 0}, {0}, SplitTable(3, {})), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
