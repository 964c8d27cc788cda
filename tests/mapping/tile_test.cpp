// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/search/tile.hpp>
#include <cmath>
#include <numeric>

#include "imagined_machine.hpp"

// Oracles: Karlsson 2012 (Alg. 5.11, 5.12, Fig. 5.6) and numbers computed for its repaired
// formulas. The thesis writes rows x columns; here the columns (x) come first.
namespace cartwright::mapping {
namespace {

using testing::bounded;
using testing::count_off_node_faces;
using testing::fill;
using testing::imagine;
using testing::node_map;
using testing::periodic;

std::vector<int> uniform(int nodes, int size) {
  return std::vector<int>(static_cast<std::size_t>(nodes), size);
}

long long faces(const GridShape& shape, const Placement& placement, int nodes, int size) {
  return count_off_node_faces(shape,
                              node_map(shape, placement, imagine(fill(uniform(nodes, size)))));
}

TEST(ChooseTile, BreaksTiesAsTheThesis) {
  EXPECT_EQ(choose_tile(bounded({8, 8}), 8), (std::vector{2, 4}));
  EXPECT_EQ(choose_tile(bounded({12, 12}), 12), (std::vector{3, 4}));
  EXPECT_EQ(choose_tile(bounded({8, 6}), 8), (std::vector{4, 2}));
}

TEST(ChooseTile, HandlesAwkwardSizes) {
  EXPECT_EQ(choose_tile(bounded({6, 6}), 4), (std::vector{2, 2}));  // 1 x 4 would not fit
  EXPECT_EQ(choose_tile(bounded({7, 7}), 7), (std::vector{1, 7}));
  EXPECT_EQ(choose_tile(bounded({16}), 4), (std::vector{4}));
  EXPECT_EQ(choose_tile(bounded({4, 4, 4, 4}), 16), (std::vector{2, 2, 2, 2}));
  EXPECT_EQ(choose_tile(bounded({5, 5}), 4), std::nullopt);
  EXPECT_EQ(choose_tile(bounded({3, 1, 2}), 1), (std::vector{1, 1, 1}));
}

TEST(ChooseTile, AlwaysFindsOneThatDividesTheGrid) {
  for (int px = 1; px <= 12; ++px) {
    for (int py = 1; py <= 12; ++py) {
      for (int k = 1; k <= px * py; ++k) {
        EXPECT_EQ(choose_tile(bounded({px, py}), k).has_value(), px * py % k == 0);
      }
    }
  }
}

/// The extents of `ranks` with the least sum, none above `largest`.
std::vector<int> nearest_cube(int ranks, int dimensions, int largest) {
  if (dimensions == 1) return ranks <= largest ? std::vector{ranks} : std::vector<int>{};
  std::vector<int> best;
  for (int extent = 1; extent <= std::min(ranks, largest); ++extent) {
    if (ranks % extent != 0) continue;
    auto dims = nearest_cube(ranks / extent, dimensions - 1, extent);
    if (dims.empty()) continue;
    dims.push_back(extent);
    const auto sum = [](const auto& of) { return std::accumulate(of.begin(), of.end(), 0); };
    if (best.empty() || sum(dims) < sum(best)) best = std::move(dims);
  }
  return best;
}

// Surface of the tile over the least surface, on the grids of 2 to 64 nodes: how often a tile that
// divides the grid is a bad one.
TEST(ChooseTile, IsBadOnHalfOfAllNumbersOfDenseNodes) {
  struct Row {
    int ranks;  // of a node
    double mean, most;
    int share_2d, share_3d;  // of the grids where it is above 1.25, in per cent, cut off
  };
  for (const Row& c : std::vector<Row>{{8, 1.24, 1.50, 47, 9},
                                       {24, 1.47, 2.50, 42, 61},
                                       {48, 1.66, 3.50, 49, 55},
                                       {64, 1.88, 4.06, 42, 58},
                                       {76, 1.96, 4.28, 100, 100},
                                       {128, 1.71, 2.87, 55, 57}}) {
    for (const int dimensions : {2, 3}) {
      double sum = 0.0, most = 0.0;
      int bad = 0;
      for (int nodes = 2; nodes <= 64; ++nodes) {
        const auto dims = nearest_cube(nodes * c.ranks, dimensions, nodes * c.ranks);
        int surface = 0;
        const auto tile = *choose_tile(bounded(dims), c.ranks);
        for (const int extent : tile) surface += c.ranks / extent;
        const double power = (dimensions - 1.0) / dimensions;
        const double ratio = surface / std::ceil(dimensions * std::pow(c.ranks, power) - 1e-9);
        sum += ratio;
        most = std::max(most, ratio);
        bad += ratio > 1.25 ? 1 : 0;
      }
      EXPECT_EQ(100 * bad / 63, dimensions == 2 ? c.share_2d : c.share_3d) << c.ranks;
      if (dimensions == 3) continue;
      EXPECT_NEAR(sum / 63, c.mean, 0.005) << c.ranks;
      EXPECT_NEAR(most, c.most, 0.005) << c.ranks;
    }
  }
}

TEST(ChooseTile, MindsWeightsAndWrapAround) {
  // A face across y costs ten times: tiles grow along y.
  EXPECT_EQ(choose_tile(bounded({8, 8}), 4, {1.0, 10.0}), (std::vector{1, 4}));
  // A tile that spans a periodic axis saves its wrap-around faces.
  EXPECT_EQ(tile_faces(periodic({4, 4}), {4, 1}), 16.0);
  EXPECT_EQ(tile_faces(periodic({4, 4}), {2, 2}), 16.0);
}

TEST(TileOrder, ReproducesTheReMappingVector) {
  const GridShape shape = bounded({4, 4});
  const TileOrder tiles(shape, {2, 2});
  const std::vector<int> expected{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
  for (int position = 0; position < 16; ++position) {
    EXPECT_EQ(tiles.slot(shape.coordinates_of(position)),
              expected[static_cast<std::size_t>(position)]);
  }
}

void expect_slots(const GridShape& shape, const std::vector<int>& tile,
                  const std::vector<int>& expected) {
  const TileOrder tiles(shape, tile);
  for (std::size_t position = 0; position < expected.size(); ++position) {
    const auto x = shape.coordinates_of(static_cast<int>(position));
    EXPECT_EQ(tiles.slot(x), expected[position]) << "at position " << position;
    EXPECT_EQ(tiles.coordinates(expected[position]), x);
  }
}

TEST(TileOrder, ReproducesPermutations) {
  expect_slots(bounded({8, 6}), {4, 2}, {0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15, 16});
  expect_slots(bounded({8, 8}), {2, 4},
               {0, 1,  8,  9,  16, 17, 24, 25, 2, 3,  10, 11, 18, 19, 26, 27, 4,
                5, 12, 13, 20, 21, 28, 29, 6,  7, 14, 15, 22, 23, 30, 31, 32});
  expect_slots(bounded({6, 4}), {3, 2}, {0,  1,  2,  6,  7,  8,  3,  4,  5,  9,  10, 11,
                                         12, 13, 14, 18, 19, 20, 15, 16, 17, 21, 22, 23});
  expect_slots(bounded({4, 4, 2}), {2, 2, 2},
               {0, 1, 8,  9,  2, 3, 10, 11, 16, 17, 24, 25, 18, 19, 26, 27,
                4, 5, 12, 13, 6, 7, 14, 15, 20, 21, 28, 29, 22, 23, 30, 31});
  expect_slots(bounded({6, 2, 2}), {3, 2, 2}, {0, 1, 2, 12, 13, 14, 3, 4,  5,  15, 16, 17,
                                               6, 7, 8, 18, 19, 20, 9, 10, 11, 21, 22, 23});
}

// f[node][axis]: neighbours in +1 direction on another node (Karlsson 2012, Fig. 5.6).
std::vector<std::vector<int>> outgoing(const GridShape& shape, const std::vector<int>& nodes) {
  std::vector<std::vector<int>> f(4, std::vector<int>(2, 0));
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      auto x = shape.coordinates_of(static_cast<int>(position));
      if (!shape.move(x, axis, +1)) continue;
      const int next = nodes[static_cast<std::size_t>(shape.rank_of(x))];
      if (next != nodes[position]) ++f[static_cast<std::size_t>(nodes[position])][axis];
    }
  }
  return f;
}

TEST(NodeMap, ReproducesFigure56) {
  const GridShape shape = bounded({4, 4});
  const auto machine = imagine(fill(uniform(4, 4)));
  const auto standard = node_map(shape, Placement(IdentityOrder{shape}), machine);
  const auto tiled = node_map(shape, Placement(TileOrder(shape, {2, 2})), machine);
  EXPECT_EQ(outgoing(shape, standard),
            (std::vector<std::vector<int>>{{0, 4}, {0, 4}, {0, 4}, {0, 0}}));
  EXPECT_EQ(outgoing(shape, tiled),
            (std::vector<std::vector<int>>{{2, 2}, {0, 2}, {2, 0}, {0, 0}}));
}

TEST(NodeMap, ReMapsRoundRobinRanks) {
  const GridShape shape = bounded({4, 4});
  std::vector<int> node_of(16);
  for (std::size_t rank = 0; rank < 16; ++rank) node_of[rank] = static_cast<int>(rank % 4);
  const auto machine = imagine(node_of);
  const Placement tiled(TileOrder(shape, {2, 2}));
  std::vector<int> old_rank_at(16);
  for (const auto& topology : machine) {
    old_rank_at[static_cast<std::size_t>(shape.rank_of(tiled.coordinates(topology)))] =
        topology.rank;
  }
  EXPECT_EQ(old_rank_at, (std::vector{0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15}));
}

struct EdgeCase {
  std::vector<int> dims;  // x first
  int nodes, size;
  long long smp, tiled, periodic_smp, periodic_tiled;
};

TEST(OffNodeFaces, MatchTableOfDivisibleCases) {
  const std::vector<EdgeCase> cases{
      {{4, 4}, 4, 4, 12, 8, 16, 16},          {{6, 6}, 9, 4, 36, 24, 48, 36},
      {{8, 6}, 12, 4, 46, 34, 60, 48},        {{8, 6}, 6, 8, 40, 22, 48, 36},
      {{8, 8}, 8, 8, 56, 32, 64, 48},         {{12, 8}, 12, 8, 92, 52, 112, 72},
      {{12, 12}, 12, 12, 132, 60, 144, 84},   {{24, 24}, 48, 12, 576, 288, 624, 336},
      {{32, 24}, 16, 48, 488, 168, 528, 224}, {{32, 32}, 8, 128, 224, 128, 256, 192},
      {{4, 4, 4}, 8, 8, 64, 48, 96, 96},      {{12, 12, 12}, 144, 12, 3168, 1872, 3456, 2304},
  };
  for (const auto& c : cases) {
    const GridShape shape = bounded(c.dims);
    const auto tile = choose_tile(shape, c.size);
    ASSERT_TRUE(tile);
    EXPECT_EQ(faces(shape, Placement(IdentityOrder{shape}), c.nodes, c.size), c.smp);
    EXPECT_EQ(faces(shape, Placement(TileOrder(shape, *tile)), c.nodes, c.size), c.tiled);
    EXPECT_EQ(tile_faces(shape, *tile), static_cast<double>(c.tiled));
    const GridShape around = periodic(c.dims);
    EXPECT_EQ(faces(around, Placement(IdentityOrder{around}), c.nodes, c.size), c.periodic_smp);
    EXPECT_EQ(faces(around, Placement(TileOrder(around, *tile)), c.nodes, c.size),
              c.periodic_tiled);
    EXPECT_EQ(tile_faces(around, *tile), static_cast<double>(c.periodic_tiled));
  }
}

}  // namespace
}  // namespace cartwright::mapping
