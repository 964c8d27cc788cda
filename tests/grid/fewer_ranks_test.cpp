// SPDX-License-Identifier: Apache-2.0
// Grids on some of the ranks of others: which blocks are joined, and cells on their way there and
// back.
#include <gtest/gtest.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/exchange/group_transfer.hpp>
#include <cartwright/grid/space/joined_blocks.hpp>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

OffNodePairs nobody(const Cuts& cuts) {
  OffNodePairs pairs;
  for (const auto& of_axis : cuts) pairs.emplace_back(of_axis.size() - 2, 0LL);
  return pairs;
}

TEST(JoinedBlocks, NoneWithoutCells) {
  const Cuts cuts{{0, 1, 1, 2, 2, 2, 3}, {0, 5}};
  const BlockGroups groups = joined_blocks(cuts, nobody(cuts), 1);
  EXPECT_EQ(groups, (BlockGroups{{0, 2, 5}, {0}}));
  EXPECT_EQ(joined_cuts(cuts, groups), (Cuts{{0, 1, 2, 3}, {0, 5}}));
  EXPECT_EQ(count_of(groups), 3);
}

TEST(JoinedBlocks, AsManyCellsAsWanted) {
  const Cuts cuts{{0, 4, 8, 12, 16}, {0, 8, 16}};
  EXPECT_EQ(count_of(joined_blocks(cuts, nobody(cuts), 32)), 8);
  // The shorter side of blocks is joined first.
  EXPECT_EQ(joined_blocks(cuts, nobody(cuts), 33), (BlockGroups{{0, 2}, {0, 1}}));
  EXPECT_EQ(count_of(joined_blocks(cuts, nobody(cuts), 65)), 2);
  EXPECT_EQ(joined_blocks(cuts, nobody(cuts), 1000), (BlockGroups{{0}, {0}}));
}

TEST(JoinedBlocks, OfOneNodeFirst) {
  // Along x nodes end behind blocks 0, 2 and 4; along y each block is another node's.
  const Cuts cuts{{0, 8, 16, 24, 32, 40}, {0, 2, 4}};
  const OffNodePairs off_node{{2, 0, 2, 0}, {5}};
  EXPECT_EQ(joined_blocks(cuts, off_node, 17), (BlockGroups{{0, 1, 3}, {0, 1}}));
}

TEST(JoinedBlocks, OddNumbers) {
  const Cuts cuts{{0, 3, 6, 9, 12, 15, 18, 21}};
  EXPECT_EQ(joined_blocks(cuts, nobody(cuts), 4), (BlockGroups{{0, 2, 4, 6}}));
  EXPECT_EQ(joined_blocks(cuts, nobody(cuts), 6), (BlockGroups{{0, 4}}));
}

double number_at(long long x, long long y) {
  return static_cast<double>(1000 * x + y);
}

/// There, an exchange among fewer ranks, and back with what is around each part.
void there_and_back(const std::string& deck, const Cuts* some_empty, long long least) {
  SampleRun run("grid: {extent: [40, 33], periodic: [true, false]}\n" + deck);
  Grid<2> all(*run);
  const Cuts cuts = some_empty != nullptr ? *some_empty : all.cuts();
  const BlockGroups groups = joined_blocks(cuts, all.off_node_pairs(), least);
  GridSpec spec{.extent = {cuts[0].back(), cuts[1].back()},
                .periodic = {true, false},
                .cuts = joined_cuts(cuts, groups)};
  GroupTransfer<2> transfer(all, cuts, groups);
  std::unique_ptr<Grid<2>> fewer;
  if (auto ranks = all.ranks_of(groups)) fewer = std::make_unique<Grid<2>>(all, spec, ranks);
  ASSERT_EQ(fewer != nullptr, transfer.leads());
  if (fewer) {
    EXPECT_EQ(fewer->comm().size(), count_of(groups));
  }

  const auto at = [&](int axis) {
    return static_cast<std::size_t>(all.comm().coordinates()[static_cast<std::size_t>(axis)]);
  };
  const long long start[2] = {cuts[0][at(0)], cuts[1][at(1)]};
  Box<2> mine{};
  mine.upper[0] = static_cast<int>(cuts[0][at(0) + 1] - start[0]);
  mine.upper[1] = static_cast<int>(cuts[1][at(1) + 1] - start[1]);
  std::vector<double> values;
  for (int y = 0; y < mine.upper[1]; ++y)
    for (int x = 0; x < mine.upper[0]; ++x) values.push_back(number_at(start[0] + x, start[1] + y));
  const Box<2> around = GroupTransfer<2>::grown(mine);
  for (int turn = 0; turn < 5; ++turn) {  // more than there is room for on the way
    std::unique_ptr<Field<double, 2>> u;
    if (fewer) u = std::make_unique<Field<double, 2>>(*fewer, "u", FieldOptions{.corners = true});
    transfer.gather(values.data(), u ? u->view() : FieldView<double, 2>());
    if (fewer) {
      const Block block = u->block();
      const auto view = u->view();
      for (int y = 0; y < block.count[1]; ++y)
        for (int x = 0; x < block.count[0]; ++x)
          ASSERT_EQ(view({x, y}), number_at(block.start[0] + x, block.start[1] + y));
      exchange(*u).wait();
    }
    std::vector<double> back(static_cast<std::size_t>(around.size()), -1.0);
    transfer.spread(u ? u->view().reading() : FieldView<const double, 2>(), back.data());
    std::size_t number = 0;
    for (int y = around.lower[1]; y < around.upper[1]; ++y)
      for (int x = around.lower[0]; x < around.upper[0]; ++x, ++number) {
        const long long row = start[1] + y, width = cuts[0].back();
        if (row < 0 || row >= cuts[1].back()) continue;  // beyond a wall
        ASSERT_EQ(back[number], number_at((start[0] + x + width) % width, row)) << x << ' ' << y;
      }
  }
}

TEST(FewerRanks, CellsThereAndBack) {
  for (const std::string backend : {"auto", "p2p", "shared", "native"})
    for (const long long least : {1LL, 250LL, 500LL, 100000LL})
      there_and_back("comm: {backend: " + backend + "}", nullptr, least);
}

TEST(FewerRanks, OnImaginedNodes) {
  for (const std::string topology : {"node:4 core:2", "node:2 core:4", "node:3 core:3"})
    there_and_back("mapping: {topology: \"" + topology + "\"}", nullptr, 400);
}

/// Some ranks have no cell of a coarser grid.
TEST(FewerRanks, SomeHaveNoCells) {
  SampleRun run("grid: {extent: [40, 33], periodic: [true, false]}");
  Cuts cuts = Grid<2>(*run).cuts();
  for (auto& of_axis : cuts)
    for (long long& cut : of_axis) cut = (cut + 19) / 20;
  there_and_back("", &cuts, 1);
}

}  // namespace
}  // namespace cartwright::grid
