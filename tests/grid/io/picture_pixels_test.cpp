// SPDX-License-Identifier: Apache-2.0
// Pictures, decoded again, against the fields that they show: every cell has its colour, its place
// and its size, and the axes tell where it is.
#include <cartwright/grid/output/colour_map.hpp>
#include <cartwright/grid/output/picture.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "png_image.hpp"
#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

using Colour = PngImage::Colour;

constexpr int shades = 256;

/// A shade that no other of the first 256 points of a plane has: neighbours look different.
int shade_of(long long right, long long up, long long columns) {
  return static_cast<int>((right + up * columns) * 101 % shades);
}

bool is_shade(const Colour& pixel, int shade) {
  const auto expected = viridis(static_cast<double>(shade) / (shades - 1));
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(pixel[i] - std::lround(255 * expected[i])) > 1) return false;
  return true;
}

/// The ink of frames and ticks: dark and grey, which no shade of the map is.
bool is_ink(const Colour& pixel) {
  const auto [low, high] = std::minmax_element(pixel.begin(), pixel.end());
  return *high < 170 && *high - *low < 14;
}

/// The pixels inside of the frame around the plot: from left to before right, top to before bottom.
/// The outermost ones are mixed with the frame's line.
struct Frame {
  int left = 0, right = 0, top = 0, bottom = 0;
};

/// Lines that are drawn along most of `length` pixels, next to each other counted once.
template <class IsInk>
std::vector<int> lines(int count, int length, const IsInk& is_ink_at) {
  std::vector<int> found;
  for (int line = 0; line < count; ++line) {
    int inked = 0;
    for (int i = 0; i < length; ++i) inked += is_ink_at(line, i) ? 1 : 0;
    if (inked >= 180 && (found.empty() || found.back() < line - 2)) found.push_back(line);
  }
  return found;
}

Frame frame_of(const PngImage& image) {
  const auto columns = lines(image.width(), image.height(),
                             [&](int column, int row) { return is_ink(image.at(column, row)); });
  const auto rows = lines(image.height(), image.width(),
                          [&](int row, int column) { return is_ink(image.at(column, row)); });
  EXPECT_EQ(columns.size(), 4U) << "the plot's and the colour bar's left and right";
  EXPECT_EQ(rows.size(), 2U);
  if (columns.size() < 2 || rows.size() < 2) throw std::runtime_error("there is no frame");
  return {columns[0] + 1, columns[1], rows.front() + 1, rows.back()};
}

/// How many pixels of a line show each cell.
template <class At>
void expect_even_runs(int begin, int end, int count, const At& shows) {
  const double size = static_cast<double>(end - begin) / count;
  for (int cell = 0; cell < count; ++cell) {
    int pixels = 0;
    for (int i = begin; i < end; ++i) pixels += shows(i, cell) ? 1 : 0;
    const int mixed = (cell == 0 ? 1 : 0) + (cell == count - 1 ? 1 : 0);  // with the frame
    EXPECT_GE(pixels, static_cast<int>(std::floor(size)) - mixed) << cell;
    EXPECT_LE(pixels, static_cast<int>(std::ceil(size))) << cell;
  }
}

void expect_cells(const PngImage& image, const Frame& frame, const std::array<int, 2>& count) {
  const auto column = [&](double cell) {
    return static_cast<int>(frame.left + (frame.right - frame.left) * cell / count[0]);
  };
  const auto row = [&](double cell) {
    return frame.bottom - 1 - static_cast<int>((frame.bottom - frame.top) * cell / count[1]);
  };
  for (int j = 0; j < count[1]; ++j)
    for (int i = 0; i < count[0]; ++i)
      EXPECT_TRUE(is_shade(image.at(column(i + 0.5), row(j + 0.5)), shade_of(i, j, count[0])))
          << "cell (" << i << ", " << j << ")";
  for (int j = 0; j < count[1]; ++j)
    expect_even_runs(frame.left, frame.right, count[0], [&](int pixel, int i) {
      return is_shade(image.at(pixel, row(j + 0.5)), shade_of(i, j, count[0]));
    });
  for (int i = 0; i < count[0]; ++i)
    expect_even_runs(frame.top, frame.bottom, count[1], [&](int pixel, int j) {
      return is_shade(image.at(column(i + 0.5), pixel), shade_of(i, j, count[0]));
    });
}

/// Ticks stand outside of the frame. There must be one where `position` is, from 0 to 1 of a side.
void expect_ticks(const PngImage& image, const Frame& frame, int axis, double position) {
  constexpr int outside = 3;
  const double length = axis == 0 ? frame.right - frame.left : frame.bottom - frame.top;
  const auto place = static_cast<int>(
      std::lround(axis == 0 ? frame.left + position * length : frame.bottom - position * length));
  const auto is_tick = [&](int at) {
    return axis == 0 ? is_ink(image.at(at, frame.bottom + outside))
                     : is_ink(image.at(frame.left - outside, at));
  };
  EXPECT_TRUE(is_tick(place - 1) || is_tick(place) || is_tick(place + 1))
      << "axis " << axis << ", " << position;
  int ticks = 0;  // or else a thick line would do
  for (int at = place - 4; at <= place + 4; ++at) ticks += is_tick(at) ? 1 : 0;
  EXPECT_LE(ticks, 3);
}

/// Draws a field whose points all differ and compares the picture with it.
void expect_picture(const GridDescription& grid, Centring centring,
                    std::optional<SlicePlane> plane = {}) {
  const Team comm = world();
  const Scratch scratch(comm);
  const int across = plane ? plane->axis : 2;
  const std::array<std::size_t, 2> axes{across == 0 ? 1U : 0U, across == 2 ? 1U : 2U};
  auto field = sample(comm, grid, "u", centring);
  const auto global = field.block().global;
  field.fill_with([&](const std::array<long long, 3>& point, int) {
    return 0.5 + shade_of(point[axes[0]], point[axes[1]], global[axes[0]]);
  });
  const Slice slice = gather_slice(comm, grid, field, plane, 512);
  if (!comm.is_root()) return;
  const auto file = scratch.path() / "u.png";
  PictureText words;
  words.field = "u";
  draw_picture(file, slice, {0, shades}, words);
  const PngImage image(file);
  const Frame frame = frame_of(image);
  ASSERT_EQ(slice.count[0], global[axes[0]]);
  ASSERT_EQ(slice.count[1], global[axes[1]]);
  expect_cells(image, frame, slice.count);
  // Nodes stand in the middle of their pixels: these reach half a cell beyond the grid.
  for (int i = 0; i < 2; ++i) {
    const std::size_t axis = axes[static_cast<std::size_t>(i)];
    const double beyond = centring == Centring::cell ? 0 : 0.5;
    const auto cells = static_cast<double>(grid.extent[axis]);
    for (const double edge : {beyond, beyond + cells})
      expect_ticks(image, frame, i, edge / static_cast<double>(global[axis]));
  }
}

TEST(PicturePixels, EveryCellHasItsPlace) {
  expect_picture({2, {4, 4, 1}}, Centring::cell);
  expect_picture({2, {7, 5, 1}, {1.4, 1, 1}}, Centring::cell);
  expect_picture({2, {17, 13, 1}, {2, 1, 1}, {-1, 2, 0}}, Centring::cell);
  expect_picture({2, {3, 40, 1}, {1, 4, 1}}, Centring::cell);
  expect_picture({2, {2, 1, 1}}, Centring::cell);
}

TEST(PicturePixels, OneRowOrColumn) {
  expect_picture({2, {1, 7, 1}}, Centring::cell);
  expect_picture({2, {7, 1, 1}}, Centring::cell);
  expect_picture({2, {1, 1, 1}}, Centring::cell);
  expect_picture({3, {1, 5, 1}, {1, 1, 1}}, Centring::cell, SlicePlane{2, 0.5});
}

TEST(PicturePixels, EveryNodeHasItsPlace) {
  expect_picture({2, {4, 4, 1}}, Centring::node);
  expect_picture({2, {6, 10, 1}, {6, 10, 1}}, Centring::node);
  expect_picture({2, {1, 4, 1}}, Centring::node);
  GridDescription periodic{2, {4, 4, 1}};
  periodic.periodic = {true, true, false};
  const Team comm = world();
  EXPECT_EQ(sample(comm, periodic, "u", Centring::node).block().global[0], 4);
}

TEST(PicturePixels, SlicesAlongEveryAxis) {
  const GridDescription space{3, {5, 4, 3}, {1, 0.8, 0.6}};
  for (const Centring centring : {Centring::cell, Centring::node})
    for (const SlicePlane plane : {SlicePlane{0, 0.5}, SlicePlane{1, 0.1}, SlicePlane{2, 0.55}})
      expect_picture(space, centring, plane);
}

/// Two cells side by side, drawn on this rank.
PngImage draw_two(double left, double right, ValueRange range) {
  const Team self = alone();
  const Scratch scratch(self);
  Slice slice;
  slice.dimensions = 2;
  slice.count = {2, 1};
  slice.upper = {2, 1};
  slice.values = {left, right};
  PictureText words;
  words.field = "u";
  draw_picture(scratch.path() / "u.png", slice, range, words);
  return PngImage(scratch.path() / "u.png");
}

bool is_one_of(const Colour& pixel, int first, int end) {
  for (int shade = first; shade < end; ++shade)
    if (is_shade(pixel, shade)) return true;
  return false;
}

/// The colours of both; the colour bar beside them is whole.
std::array<Colour, 2> colours_of_two(double left, double right, ValueRange range) {
  const PngImage image = draw_two(left, right, range);
  const Frame frame = frame_of(image);
  const int bar = frame.right + 40;
  EXPECT_TRUE(is_one_of(image.at(bar, frame.top + 1), shades - 3, shades));
  EXPECT_TRUE(is_one_of(image.at(bar, frame.bottom - 2), 0, 3));
  const int row = (frame.top + frame.bottom) / 2;
  const int quarter = (frame.right - frame.left) / 4;
  return {image.at(frame.left + quarter, row), image.at(frame.right - quarter, row)};
}

TEST(PicturePixels, ColoursAreThoseOfTheRangeNotOfTheNumbersThatOccur) {
  const auto inside = colours_of_two(100.5, 130.5, {0, 256});
  EXPECT_TRUE(is_shade(inside[0], 100));
  EXPECT_TRUE(is_shade(inside[1], 130));
  const auto beyond = colours_of_two(-20, 1e30, {0, 256});
  EXPECT_TRUE(is_shade(beyond[0], 0));
  EXPECT_TRUE(is_shade(beyond[1], 255));
  const auto infinite = colours_of_two(-INFINITY, INFINITY, {0, 256});
  EXPECT_TRUE(is_shade(infinite[0], 0));
  EXPECT_TRUE(is_shade(infinite[1], 255));
}

TEST(PicturePixels, WhatIsNoNumberIsLeftWhite) {
  const auto colours = colours_of_two(std::nan(""), 64.5, {0, 256});
  EXPECT_EQ(colours[0], (Colour{255, 255, 255}));
  EXPECT_TRUE(is_shade(colours[1], 64));
}

TEST(PicturePixels, HugeAndTinyNumbers) {
  constexpr double most = std::numeric_limits<double>::max();
  for (const double scale : {1e200, 1e-200, 1e300, 1e-300}) {
    const auto colours = colours_of_two(100.5 * scale, 130.5 * scale, {0, 256 * scale});
    EXPECT_TRUE(is_shade(colours[0], 100)) << scale;
    EXPECT_TRUE(is_shade(colours[1], 130)) << scale;
  }
  const auto widest = colours_of_two(-most, most, {-1e306, 1e306});
  EXPECT_TRUE(is_shade(widest[0], 0));
  EXPECT_TRUE(is_shade(widest[1], 255));
}

}  // namespace
}  // namespace cartwright::grid::test
