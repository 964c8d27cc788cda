// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <limits>

namespace cartwright::mapping {
namespace {

TEST(GridShape, XIsTheFastestAxis) {
  const GridShape shape{{4, 3, 2}, {false, false, false}};
  EXPECT_EQ(shape.size(), 24);
  EXPECT_EQ(shape.rank_of({1, 0, 0}), 1);
  EXPECT_EQ(shape.rank_of({0, 1, 0}), 4);
  EXPECT_EQ(shape.rank_of({0, 0, 1}), 12);
  for (int rank = 0; rank < 24; ++rank) EXPECT_EQ(shape.rank_of(shape.coordinates_of(rank)), rank);
}

TEST(GridShape, MovesAroundPeriodicAxesOnly) {
  const GridShape shape{{4, 3}, {true, false}};
  std::vector<int> x{3, 2};
  EXPECT_TRUE(shape.move(x, 0, +1));
  EXPECT_EQ(x, (std::vector{0, 2}));
  EXPECT_TRUE(shape.move(x, 0, -9));
  EXPECT_EQ(x, (std::vector{3, 2}));
  EXPECT_FALSE(shape.move(x, 1, +1));
  EXPECT_FALSE(shape.move(x, 1, -3));
  EXPECT_EQ(x, (std::vector{3, 2}));
}

TEST(GridShape, SizeDoesNotOverflow) {
  const GridShape shape{{1 << 30, 1 << 30, 1 << 30}, {false, false, false}};
  EXPECT_EQ(shape.size(), std::numeric_limits<long long>::max());
}

TEST(GridShape, CountsFaces) {
  EXPECT_EQ((GridShape{{4, 4}, {false, false}}).faces(), 24);
  EXPECT_EQ((GridShape{{4, 4}, {true, true}}).faces(), 32);
  EXPECT_EQ((GridShape{{2, 1}, {true, true}}).faces(), 2);  // two faces join the same two ranks
  EXPECT_EQ((GridShape{{1}, {true}}).faces(), 0);
}

}  // namespace
}  // namespace cartwright::mapping
