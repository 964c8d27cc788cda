// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/placement/slot_survey.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/mapping/search/levels.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <numeric>

#include "imagined_machine.hpp"

namespace cartwright::mapping {
namespace {

using testing::bounded;
using testing::equal_nodes;
using testing::is_permutation;

TEST(Levels, KeepNodesAndGroupInsideThem) {
  // 4 nodes of 16 ranks on 8 x 8, each with 4 caches of 4: squares in squares.
  const GridShape shape = bounded({8, 8});
  const auto chosen = choose_mapping({shape, equal_nodes(4, 16)});
  const auto slots = assign_slots(chosen.map, {equal_nodes(16, 4)});
  ASSERT_TRUE(is_permutation(slots));
  EXPECT_EQ(level_map(shape, slots, equal_nodes(4, 16)).nodes, chosen.map.nodes);
  EXPECT_EQ(judge(level_map(shape, slots, equal_nodes(4, 16))).total(), 16);
  EXPECT_EQ(judge(level_map(shape, slots, equal_nodes(16, 4))).total(), 48);
}

TEST(Levels, GoSeveralDeep) {
  const GridShape shape = bounded({8, 8, 4});
  const auto chosen = choose_mapping({shape, equal_nodes(4, 64)});
  const auto slots = assign_slots(chosen.map, {equal_nodes(8, 32), equal_nodes(32, 8)});
  ASSERT_TRUE(is_permutation(slots));
  const auto faces = [&](int groups, int size) {
    return judge(level_map(shape, slots, equal_nodes(groups, size))).total();
  };
  EXPECT_EQ(faces(4, 64), 64);
  EXPECT_EQ(faces(8, 32), 128);  // 2 x 4 x 4 in each 4 x 4 x 4
  EXPECT_EQ(faces(32, 8), 256);  // cubes of two
}

TEST(Levels, MindWeights) {
  const GridShape shape = bounded({4, 4});
  const NodeMap one = fill_in_order(shape, equal_nodes(1, 16));
  const auto slots = assign_slots(one, {equal_nodes(4, 4)}, {1.0, 10.0});
  EXPECT_EQ(judge(level_map(shape, slots, equal_nodes(4, 4)), {1.0, 10.0}).weighted, 12.0);
}

TEST(Levels, TakeUnequalNodesAndGroups) {
  const GridShape shape = bounded({8, 6});
  const std::vector<int> nodes{12, 12, 12, 8, 4};
  const std::vector<int> caches{6, 6, 5, 7, 4, 4, 4, 8, 4};
  const auto chosen = choose_mapping({shape, nodes});
  const auto slots = assign_slots(chosen.map, {caches});
  ASSERT_TRUE(is_permutation(slots));
  EXPECT_EQ(level_map(shape, slots, nodes).nodes, chosen.map.nodes);
  const auto in_order = assign_slots(chosen.map);
  EXPECT_LT(judge(level_map(shape, slots, caches)).total(),
            judge(level_map(shape, in_order, caches)).total());
}

TEST(Levels, SkipALevelThatDoesNotDivideANode) {
  const GridShape shape = bounded({6, 2});
  const NodeMap map = fill_in_order(shape, equal_nodes(2, 6));
  EXPECT_EQ(assign_slots(map, {equal_nodes(3, 4)}), assign_slots(map));
}

TEST(TableOrder, IsAPermutationBothWays) {
  const GridShape shape = bounded({3, 2});
  const TableOrder order(shape, {5, 3, 1, 0, 2, 4}, "shuffled");
  EXPECT_EQ(order.describe(), "shuffled");
  EXPECT_EQ(order.coordinates(5), (std::vector{0, 0}));
  for (int slot = 0; slot < 6; ++slot) EXPECT_EQ(order.slot(order.coordinates(slot)), slot);
}

TEST(TileOrder, HoldsTilesInTiles) {
  const GridShape shape = bounded({8, 8});
  const TileOrder tiles(shape, {{4, 4}, {2, 2}});
  EXPECT_EQ(tiles.describe(), "tiles of 4 x 4, in them 2 x 2");
  const std::vector<int> first_rows{0, 1, 4, 5, 16, 17, 20, 21, 2, 3, 6, 7, 18, 19, 22, 23};
  std::vector<int> slots;
  for (int position = 0; position < 64; ++position) {
    slots.push_back(tiles.slot(shape.coordinates_of(position)));
    EXPECT_EQ(tiles.coordinates(slots.back()), shape.coordinates_of(position));
  }
  EXPECT_TRUE(std::equal(first_rows.begin(), first_rows.end(), slots.begin()));
  EXPECT_EQ(judge(level_map(shape, slots, equal_nodes(16, 4))).total(), 48);
}

TEST(InnerLevels, NestTilesOrMakeATable) {
  const GridShape shape = bounded({8, 8});
  const SlotSurvey four{equal_nodes(4, 16), equal_nodes(16, 4)};
  EXPECT_EQ(with_inner_levels(Placement(TileOrder(shape, {4, 4})), shape, four, {}).describe(),
            "tiles of 4 x 4, in them 2 x 2");
  EXPECT_TRUE(with_inner_levels(Placement(IdentityOrder{shape}), shape, four, {}).is_identity());
  // Caches of 5, 5 and 6 ranks fit no tile.
  SlotSurvey odd{equal_nodes(4, 16), {}};
  for (int node = 0; node < 4; ++node) odd.l3_sizes.insert(odd.l3_sizes.end(), {5, 5, 6});
  const Placement table = with_inner_levels(Placement(TileOrder(shape, {4, 4})), shape, odd, {});
  const auto machine = testing::imagine(testing::fill(odd.node_sizes));
  EXPECT_EQ(testing::count_off_node_faces(shape, testing::node_map(shape, table, machine)), 16);
  std::vector<int> slots(64);
  for (const Topology& topology : machine) {
    slots[static_cast<std::size_t>(shape.rank_of(table.coordinates(topology)))] = topology.slot();
  }
  const auto faces = judge(level_map(shape, slots, odd.l3_sizes)).total();
  EXPECT_LE(faces, 16 + 4 * 9);  // 12 of 24 faces inside a node is what three rows of it leave
}

}  // namespace
}  // namespace cartwright::mapping
