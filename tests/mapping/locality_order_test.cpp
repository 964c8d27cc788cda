// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/search/locality_order.hpp>

#include "imagined_machine.hpp"

namespace cartwright::mapping {
namespace {

using testing::bounded;
using testing::count_off_node_faces;
using testing::equal_nodes;
using testing::fill;
using testing::imagine;
using testing::node_map;

TEST(LocalityOrder, IsASerpentineOfNeighbours) {
  for (const auto& dims :
       std::vector<std::vector<int>>{{7, 5}, {1, 6}, {9}, {4, 3, 5}, {5, 1, 4, 3}}) {
    const GridShape shape = bounded(dims);
    for (const auto& order : LocalityOrder::candidates(shape, 4)) {
      std::vector<int> before;
      for (int slot = 0; slot < shape.size(); ++slot) {
        const auto x = order.coordinates(slot);
        ASSERT_EQ(order.slot(x), slot) << order.describe();
        int distance = 0;
        for (std::size_t axis = 0; axis < before.size(); ++axis) {
          distance += std::abs(x[axis] - before[axis]);
          ASSERT_TRUE(x[axis] >= 0 && x[axis] < dims[axis]);
        }
        if (dims.size() <= 2 && slot > 0) {
          EXPECT_LE(distance, 6) << order.describe();
        }
        before = x;
      }
    }
  }
}

TEST(LocalityOrder, CandidatesAreFew) {
  EXPECT_LE(LocalityOrder::candidates(bounded({100, 100, 100}), 64).size(), 64U);
  EXPECT_LE(LocalityOrder::candidates(bounded({20, 20, 20, 20}), 48).size(), 256U);
  EXPECT_TRUE(LocalityOrder::candidates(bounded({1, 1}), 4).empty());
}

long long best(const GridShape& shape, const std::vector<int>& node_sizes) {
  const auto machine = imagine(fill(node_sizes));
  const auto mean = (machine.size() + node_sizes.size() - 1) / node_sizes.size();
  long long fewest = shape.faces();
  for (const auto& order : LocalityOrder::candidates(shape, static_cast<int>(mean))) {
    fewest =
        std::min(fewest, count_off_node_faces(shape, node_map(shape, Placement(order), machine)));
  }
  return fewest;
}

struct Case {
  std::vector<int> dims;  // x first
  std::vector<int> node_sizes;
  long long strips;  // faces that a published strips method leaves
};

TEST(LocalityOrder, MatchesStripsWhereNoTileFits) {
  const std::vector<Case> cases{
      {{7, 7}, equal_nodes(7, 7), 28},      {{13, 13}, equal_nodes(13, 13), 78},
      {{14, 14}, equal_nodes(28, 7), 140},  {{10, 10}, equal_nodes(20, 5), 84},
      {{6, 5}, equal_nodes(5, 6), 14},      {{10, 14}, equal_nodes(7, 20), 42},
      {{24, 26}, equal_nodes(13, 48), 144}, {{16, 21}, equal_nodes(7, 48), 66},
      {{7, 4, 2}, equal_nodes(8, 7), 50},   {{6, 5, 3}, equal_nodes(9, 10), 85},
  };
  for (const auto& c : cases)
    EXPECT_LE(best(bounded(c.dims), c.node_sizes), c.strips) << to_text(c.dims);
}

TEST(LocalityOrder, MatchesStripsOnUnequalNodes) {
  const std::vector<Case> cases{
      {{4, 4}, {6, 6, 4}, 7},
      {{4, 4}, {5, 5, 5, 1}, 10},
      {{8, 6}, {12, 12, 12, 8, 4}, 18},
      {{8, 8}, {16, 16, 16, 12, 4}, 20},
      {{8, 6}, equal_nodes(5, 8, {4, 4}), 27},
      {{12, 12}, equal_nodes(11, 12, {8, 4}), 64},
  };
  for (const auto& c : cases)
    EXPECT_LE(best(bounded(c.dims), c.node_sizes), c.strips) << to_text(c.dims);
}

}  // namespace
}  // namespace cartwright::mapping
