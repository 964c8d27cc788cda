// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cmath>
#include <utility>

#include "imagined_machine.hpp"

// Oracles: numbers computed for Karlsson 2012 (chapter 5): edges between nodes, E, and messages of
// row and column broadcasts. Tables give rows x columns; here the columns (x) come first.
namespace cartwright::mapping {
namespace {

using testing::bounded;
using testing::equal_nodes;
using testing::periodic;

NodeMap tiled(const GridShape& shape, const std::vector<int>& tile, int nodes, int size) {
  const TileOrder tiles(shape, tile);
  NodeMap map{shape, {}, nodes};
  for (int position = 0; position < shape.size(); ++position) {
    map.nodes.push_back(tiles.slot(shape.coordinates_of(position)) / size);
  }
  return map;
}

NodeMap dealt_out(const GridShape& shape, int nodes) {
  NodeMap map{shape, {}, nodes};
  for (int position = 0; position < shape.size(); ++position) map.nodes.push_back(position % nodes);
  return map;
}

struct Divisible {
  std::vector<int> dims, tile;  // x first
  int nodes, size;
  std::vector<long long> smp, tiles;  // faces, slowest axis first
  long long bound, round_robin;
  std::vector<int> smp_e, tiles_e;  // slowest axis first
};

const std::vector<Divisible> divisible{
    {{4, 4}, {2, 2}, 4, 4, {12, 0}, {4, 4}, 8, 12, {4, 0}, {2, 2}},
    {{6, 6}, {2, 2}, 9, 4, {30, 6}, {12, 12}, 24, 60, {4, 1}, {2, 2}},
    {{8, 6}, {2, 2}, 12, 4, {40, 6}, {16, 18}, 34, 82, {4, 1}, {2, 2}},
    {{8, 6}, {4, 2}, 6, 8, {40, 0}, {16, 6}, 22, 82, {8, 0}, {4, 2}},
    {{8, 8}, {4, 2}, 8, 8, {56, 0}, {24, 8}, 32, 56, {8, 0}, {4, 2}},
    {{12, 8}, {4, 2}, 12, 8, {84, 8}, {36, 16}, 52, 88, {8, 1}, {4, 2}},
    {{12, 12}, {4, 3}, 12, 12, {132, 0}, {36, 24}, 60, 132, {12, 0}, {4, 3}},
    {{24, 24}, {4, 3}, 48, 12, {552, 24}, {168, 120}, 288, 1104, {12, 1}, {4, 3}},
    {{32, 24}, {8, 6}, 16, 48, {480, 8}, {96, 72}, 168, 744, {32, 1}, {8, 6}},
    {{32, 32}, {16, 8}, 8, 128, {224, 0}, {96, 32}, 120, 992, {32, 0}, {16, 8}},
    {{4, 4, 4}, {2, 2, 2}, 8, 8, {48, 16, 0}, {16, 16, 16}, 48, 96, {8, 4, 0}, {4, 4, 4}},
    {{12, 12, 12},
     {3, 2, 2},
     144,
     12,
     {1584, 1584, 0},
     {720, 720, 432},
     1872,
     3168,
     {12, 12, 0},
     {6, 6, 4}},
};

template <typename Number>
std::vector<Number> slowest_first(const std::vector<Number>& by_axis) {
  return {by_axis.rbegin(), by_axis.rend()};
}

TEST(Judge, ReproducesTheTableOfDivisibleCases) {
  for (const auto& c : divisible) {
    SCOPED_TRACE(to_text(c.dims));
    const GridShape shape = bounded(c.dims);
    const auto sizes = equal_nodes(c.nodes, c.size);
    const auto smp = judge(fill_in_order(shape, sizes));
    const NodeMap tiles = tiled(shape, c.tile, c.nodes, c.size);
    const auto good = judge(tiles);
    EXPECT_EQ(slowest_first(smp.faces), c.smp);
    EXPECT_EQ(slowest_first(good.faces), c.tiles);
    EXPECT_EQ(slowest_first(smp.busiest_by_axis), c.smp_e);
    EXPECT_EQ(slowest_first(good.busiest_by_axis), c.tiles_e);
    EXPECT_EQ(judge(dealt_out(shape, c.nodes)).total(), c.round_robin);
    EXPECT_EQ(faces_lower_bound(shape, sizes), c.bound);
    EXPECT_GE(sharp_lower_bound(shape, sizes), static_cast<double>(c.bound));
    EXPECT_LE(sharp_lower_bound(shape, sizes), static_cast<double>(good.total()));
    // Messages of hierarchical trees equal faces for both.
    EXPECT_EQ(off_node_messages(tiles, LineTree::hierarchical), good.total());
    EXPECT_EQ(off_node_messages(fill_in_order(shape, sizes), LineTree::hierarchical), smp.total());
  }
}

TEST(Judge, CountsTheBusiestNodeBothWays) {
  const auto inner = judge(tiled(bounded({6, 6}), {2, 2}, 9, 4));
  EXPECT_EQ(inner.busiest, 8.0);  // the tile in the middle
  const auto corner = judge(tiled(bounded({4, 4}), {2, 2}, 4, 4), {1.0, 10.0});
  EXPECT_EQ(corner.busiest, 2.0 + 20.0);
  EXPECT_EQ(corner.weighted, 4.0 + 40.0);
  EXPECT_EQ(judge(tiled(periodic({4, 4}), {2, 2}, 4, 4)).total(), 16);
}

TEST(Judge, ReproducesFigure56) {
  const GridShape shape = bounded({4, 4});
  using F = std::vector<std::vector<int>>;
  EXPECT_EQ(outgoing_faces(fill_in_order(shape, equal_nodes(4, 4))),
            (F{{0, 4}, {0, 4}, {0, 4}, {0, 0}}));
  EXPECT_EQ(outgoing_faces(tiled(shape, {2, 2}, 4, 4)), (F{{2, 2}, {0, 2}, {2, 0}, {0, 0}}));
}

TEST(Judge, GivesTheGainsOfTheThesis) {
  // E of ranks in order over E of tiles: ((d - 1) k + 1) / (sum of A_i).
  EXPECT_NEAR(17.0 / 12.0, 1.42, 0.005);
  const auto interior = [](std::vector<int> dims, const std::vector<int>& tile, int nodes,
                           int size) {
    const GridShape shape = bounded(std::move(dims));
    return std::pair(judge(fill_in_order(shape, equal_nodes(nodes, size))).outgoing(),
                     judge(tiled(shape, tile, nodes, size)).outgoing());
  };
  EXPECT_EQ(interior({6, 6}, {2, 2}, 9, 4), std::pair(5, 4));       // 1.25
  EXPECT_EQ(interior({12, 8}, {4, 2}, 12, 8), std::pair(9, 6));     // 1.5
  EXPECT_EQ(interior({24, 24}, {4, 3}, 48, 12), std::pair(13, 7));  // 1.86
}

struct Tree {
  std::vector<int> dims, tile;
  int nodes, size;
  LineTree tree;
  long long smp, tiles;            // from root 0
  long long smp_mean, tiles_mean;  // over all roots, rounded
};

TEST(OffNodeMessages, ReproduceTheTableOfTrees) {
  using enum LineTree;
  const std::vector<Tree> cases{
      {{8, 8}, {4, 2}, 8, 8, chain, 56, 32, 56, 42},
      {{8, 8}, {4, 2}, 8, 8, low_binomial, 56, 32, 56, 64},
      {{8, 8}, {4, 2}, 8, 8, high_binomial, 56, 80, 56, 94},
      {{8, 8}, {4, 2}, 8, 8, hierarchical, 56, 32, 56, 32},
      {{12, 8}, {4, 2}, 12, 8, chain, 92, 52, 99, 64},
      {{12, 8}, {4, 2}, 12, 8, low_binomial, 96, 52, 111, 100},
      {{12, 8}, {4, 2}, 12, 8, high_binomial, 132, 136, 133, 152},
      {{12, 8}, {4, 2}, 12, 8, hierarchical, 92, 52, 92, 52},
      {{24, 24}, {4, 3}, 48, 12, chain, 576, 288, 598, 322},
      {{24, 24}, {4, 3}, 48, 12, low_binomial, 600, 432, 656, 576},
      {{24, 24}, {4, 3}, 48, 12, high_binomial, 840, 984, 850, 1030},
      {{24, 24}, {4, 3}, 48, 12, hierarchical, 576, 288, 576, 288},
      {{32, 32}, {8, 8}, 16, 64, chain, 480, 192, 496, 248},
      {{32, 32}, {8, 8}, 16, 64, low_binomial, 480, 192, 736, 576},
      {{32, 32}, {8, 8}, 16, 64, high_binomial, 960, 1536, 976, 1704},
      {{32, 32}, {8, 8}, 16, 64, hierarchical, 480, 192, 480, 192},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(to_text(c.dims) + ", tree " + std::to_string(static_cast<int>(c.tree)));
    const GridShape shape = bounded(c.dims);
    const NodeMap smp = fill_in_order(shape, equal_nodes(c.nodes, c.size));
    const NodeMap tiles = tiled(shape, c.tile, c.nodes, c.size);
    EXPECT_EQ(off_node_messages(smp, c.tree), c.smp);
    EXPECT_EQ(off_node_messages(tiles, c.tree), c.tiles);
    const auto mean = [&](const NodeMap& map) {
      double sum = 0.0;
      for (std::size_t axis = 0; axis < 2; ++axis) {
        double of_axis = 0.0;
        for (int root = 0; root < c.dims[axis]; ++root) {
          of_axis += static_cast<double>(off_node_messages(map, c.tree, root, axis));
        }
        sum += of_axis / c.dims[axis];
      }
      return sum;
    };
    EXPECT_NEAR(mean(smp), static_cast<double>(c.smp_mean), 0.51);
    EXPECT_NEAR(mean(tiles), static_cast<double>(c.tiles_mean), 0.51);
  }
}

TEST(LowerBound, MatchesTheTableOfAwkwardCases) {
  struct Bound {
    std::vector<int> dims, sizes;
    long long bound;
  };
  const std::vector<Bound> cases{
      {{7, 7}, equal_nodes(7, 7), 28},      {{13, 13}, equal_nodes(13, 13), 78},
      {{14, 14}, equal_nodes(28, 7), 140},  {{10, 10}, equal_nodes(20, 5), 80},
      {{6, 5}, equal_nodes(5, 6), 14},      {{10, 14}, equal_nodes(7, 20), 39},
      {{24, 26}, equal_nodes(13, 48), 132}, {{16, 21}, equal_nodes(7, 48), 61},
      {{7, 4, 2}, equal_nodes(8, 7), 38},   {{6, 5, 3}, equal_nodes(9, 10), 63},
      {{4, 3}, equal_nodes(4, 3), 9},       {{4, 3}, equal_nodes(3, 4), 5},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(faces_lower_bound(bounded(c.dims), c.sizes), c.bound) << to_text(c.dims);
    EXPECT_GE(sharp_lower_bound(bounded(c.dims), c.sizes), static_cast<double>(c.bound));
  }
  EXPECT_EQ(sharp_lower_bound(bounded({7, 4, 2}), equal_nodes(8, 7)), 46.0);
  EXPECT_EQ(faces_lower_bound(bounded({4, 1, 4}), equal_nodes(4, 4)), 8);  // as in two dimensions
  EXPECT_EQ(faces_lower_bound(bounded({16}), equal_nodes(4, 4)), 3);
  EXPECT_EQ(faces_lower_bound(periodic({16}), equal_nodes(4, 4)), 4);
  EXPECT_EQ(faces_lower_bound(periodic({16}), {{16}}), 0);
}

/// The fewest faces over all ways to deal out the positions, by trying all.
long long fewest(const GridShape& shape, std::vector<int> left, NodeMap& map,
                 std::size_t position) {
  if (position == map.nodes.size()) return judge(map).total();
  long long least = shape.faces();
  for (std::size_t node = 0; node < left.size(); ++node) {
    if (left[node] == 0) continue;
    map.nodes[position] = static_cast<int>(node);
    --left[node];
    least = std::min(least, fewest(shape, left, map, position + 1));
    ++left[node];
    // An untouched node is as good as any other of its size.
    if (left[node] == map.shape.size() / static_cast<long long>(left.size())) break;
  }
  return least;
}

TEST(LowerBound, HoldsAgainstAllMappingsOfSmallGrids) {
  struct Bound {
    std::vector<int> dims;
    int size;
    long long optimum;
  };
  for (const auto& c : std::vector<Bound>{
           {{4, 3}, 3, 9}, {{4, 3}, 4, 6}, {{4, 3}, 6, 3}, {{3, 2, 2}, 4, 8}, {{3, 2, 2}, 6, 6}}) {
    const GridShape shape = bounded(c.dims);
    const auto nodes = static_cast<int>(shape.size() / c.size);
    NodeMap map{shape, std::vector<int>(static_cast<std::size_t>(shape.size())), nodes};
    const auto sizes = equal_nodes(nodes, c.size);
    EXPECT_EQ(fewest(shape, sizes, map, 0), c.optimum);
    EXPECT_LE(sharp_lower_bound(shape, sizes), static_cast<double>(c.optimum));
    const GridShape around = periodic(c.dims);
    map.shape = around;
    EXPECT_LE(sharp_lower_bound(around, sizes), static_cast<double>(fewest(around, sizes, map, 0)));
  }
}

}  // namespace
}  // namespace cartwright::mapping
