// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/grid/run/slice_plane.hpp>
#include <cartwright/rt/deck.hpp>

namespace cartwright::grid {
namespace {

GridDescription cube(int dimensions = 3) {
  GridDescription grid;
  grid.dimensions = dimensions;
  grid.extent = {4, 4, 4};
  return grid;
}

TEST(SlicePlane, IsAnAxisAndAPlace) {
  const rt::Deck deck;
  EXPECT_FALSE(parse_slice_plane(deck, "", cube()));
  const auto plane = parse_slice_plane(deck, "y = 0.25", cube());
  EXPECT_EQ(plane->axis, 1);
  EXPECT_EQ(plane->position, 0.25);
}

TEST(SlicePlane, RefusesEverythingElse) {
  const rt::Deck deck;
  for (const char* text : {"z", "z=", "=1", "w=0.5", "z=0.5m", "z=7", "z=-1", "z=nan", "z==0.5"})
    EXPECT_THROW((void)parse_slice_plane(deck, text, cube()), rt::Error) << text;
  EXPECT_THROW((void)parse_slice_plane(deck, "x=0.5", cube(2)), rt::Error);
}

}  // namespace
}  // namespace cartwright::grid
