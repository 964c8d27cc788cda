// SPDX-License-Identifier: Apache-2.0
// What lies over maps, and what a painter keeps from one picture to the next.
#include <cartwright/grid/output/picture_series.hpp>

#include <cmath>

#include "png_image.hpp"
#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

/// 64 x 48 numbers that rise to the right, from 0 to 1.
Slice slope() {
  Slice slice;
  slice.dimensions = 2;
  slice.count = {64, 48};
  slice.upper = {64, 48};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) slice.values.push_back((x + 0.5) / 64);
  return slice;
}

PictureText words() {
  PictureText text;
  text.field = "u";
  return text;
}

constexpr int left = 88, top = 74, width = 576, height = 432;  // nine pixels a cell

/// How many pixels of a row differ between two pictures, and where on average.
struct Change {
  int pixels = 0;
  double middle = 0;
};
Change change_in_row(const PngImage& a, const PngImage& b, int row, int from, int to) {
  Change change;
  for (int x = from; x < to; ++x)
    if (a.at(x, row) != b.at(x, row)) {
      ++change.pixels;
      change.middle += x + 0.5;
    }
  change.middle /= std::max(1, change.pixels);
  return change;
}

TEST(Overlay, ContoursLieWhereTheirValueIs) {
  const Team self = alone();
  const Scratch scratch(self);
  const auto plain = scratch.path() / "plain.png", lined = scratch.path() / "lined.png";
  Overlay overlay;
  overlay.contours = 3;
  draw_picture(plain, slope(), {0, 1}, words());
  draw_picture(lined, slope(), {0, 1}, words(), overlay);
  const PngImage before(plain), after(lined);
  ASSERT_EQ(after.width(), before.width());
  for (const int row : {top + 5, top + height / 2, top + height - 6})
    for (int level = 1; level <= 3; ++level) {
      const int place = left + level * width / 4;
      const Change change = change_in_row(before, after, row, place - 20, place + 20);
      EXPECT_GE(change.pixels, 1);
      EXPECT_LE(change.pixels, 3);
      EXPECT_NEAR(change.middle, place, 1);
      EXPECT_EQ(change_in_row(before, after, row, place + 20, place + 100).pixels, 0);
    }
}

TEST(Overlay, PlainsAndHolesHaveNoContours) {
  const Team self = alone();
  const Scratch scratch(self);
  Slice slice = slope();
  for (std::size_t i = 0; i < slice.values.size(); ++i)
    slice.values[i] = i % 5 == 0 ? std::nan("") : 0.5 + (i % 2 == 0 ? 1e-16 : 0.0);
  Overlay overlay;
  overlay.contours = 3;  // the second one lies at 0.5
  draw_picture(scratch.path() / "a.png", slice, {0, 1}, words());
  draw_picture(scratch.path() / "b.png", slice, {0, 1}, words(), overlay);
  const PngImage before(scratch.path() / "a.png"), after(scratch.path() / "b.png");
  for (int row = top; row < top + height; ++row)
    EXPECT_EQ(change_in_row(before, after, row, left, left + width).pixels, 0) << row;
}

TEST(Overlay, ArrowsPointWhereTheVectorsDo) {
  const Team self = alone();
  const Scratch scratch(self);
  Overlay overlay;
  for (Slice& part : overlay.vectors) {
    part = slope();
    part.count = {4, 3};
    part.values.assign(12, 0.0);
  }
  overlay.vectors[0].values[5] = 2;  // in the second column of the row in the middle, to the right
  overlay.vectors[0].values[6] = std::nan("");
  overlay.vectors_name = "velocity";
  overlay.vectors_unit = "m/s";
  draw_picture(scratch.path() / "a.png", slope(), {0, 1}, words());
  draw_picture(scratch.path() / "b.png", slope(), {0, 1}, words(), overlay);
  const PngImage before(scratch.path() / "a.png"), after(scratch.path() / "b.png");
  const auto changed = [&](int x, int y) { return before.at(x, y) != after.at(x, y); };
  const int x = left + width * 3 / 8, y = top + height / 2;
  for (int along = -17; along <= 17; ++along) EXPECT_TRUE(changed(x + along, y)) << along;
  const auto height_at = [&](int column) {
    int pixels = 0;
    for (int row = y - 20; row <= y + 20; ++row) pixels += changed(column, row) ? 1 : 0;
    return pixels;
  };
  EXPECT_GT(height_at(x + 14), height_at(x - 14)) << "the head is on the right";
  for (int row = top; row < y - 20; ++row)
    EXPECT_EQ(change_in_row(before, after, row, left, left + width).pixels, 0);
  EXPECT_GT(change_in_row(before, after, top + height + 46, left + width, before.width()).pixels, 0)
      << "what an arrow means";
}

/// By one painter, then each by its own.
TEST(PicturePainter, KeepsNothingThatHasChanged) {
  const Team self = alone();
  const Scratch scratch(self);
  PicturePainter painter;
  int number = 0;
  const auto expect_same = [&](const Slice& slice, ValueRange range, const PictureText& text,
                               const Overlay& overlay = {}) {
    const auto kept = scratch.path() / ("kept" + std::to_string(++number) + ".png");
    const auto fresh = scratch.path() / ("fresh" + std::to_string(number) + ".png");
    painter.draw(kept, slice, range, text, overlay);
    draw_picture(fresh, slice, range, text, overlay);
    EXPECT_EQ(contents(kept), contents(fresh)) << number;
  };
  Slice slice = slope();
  PictureText text = words();
  expect_same(slice, {0, 1}, text);
  text.step = 12345678;
  text.time = 1e-7;
  expect_same(slice, {0, 1}, text);
  text.step = 0;
  slice.values[100] = std::nan("");
  expect_same(slice, {0, 1}, text);
  expect_same(slice, {0, 2}, text);
  Overlay overlay;
  overlay.contours = 2;
  expect_same(slice, {0, 2}, text, overlay);
  expect_same(slice, {0, 2}, text);
  text.unit = "K";
  expect_same(slice, {0, 2}, text);
  slice.plane = SlicePlane{2, 0.5};
  expect_same(slice, {0, 2}, text);
  slice.plane = SlicePlane{2, 0.75};
  expect_same(slice, {0, 2}, text);
  slice.count = {48, 64};
  expect_same(slice, {0, 2}, text);
}

TEST(PictureSeries, WithOverlaysIsDrawnAnewAsItWas) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {40, 30, 1}};
  auto field = sample(comm, plane, "u");
  auto flow = sample(comm, plane, "v");
  flow.fill(0.3);
  PictureSeries::Options options;
  options.contours = 4;
  options.vectors = &flow;
  options.vector_components = {&flow, &flow};
  const auto write = [&](PictureSeries& series, double factor, long long step) {
    field.fill(0.1);
    for (double& value : field.values()) value *= factor;
    series.write(step, 0);
  };
  PictureSeries series(comm, plane, scratch.path() / "a", {&field}, options);
  write(series, 1, 0);
  write(series, 7, 1);
  (void)series.finish(true);
  PictureSeries backwards(comm, plane, scratch.path() / "b", {&field}, options);
  write(backwards, 7, 1);
  write(backwards, 1, 0);
  (void)backwards.finish(true);
  MPI_Barrier(comm.handle());
  EXPECT_EQ(contents(scratch.path() / "a/u_0000000000.png"),
            contents(scratch.path() / "b/u_0000000000.png"));
}

/// Nothing of what is masked is seen: no colour, no arrow, and it widens no range. Of nodes, which
/// are one more along each axis, those between masked cells.
TEST(PictureSeries, MaskedCellsStayWhite) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {64, 48, 1}, {64, 48, 1}};
  const auto is_inside = [](const std::array<long long, 3>& place, long long shift) {
    return place[0] >= 20 + shift && place[0] < 30 && place[1] >= 10 + shift && place[1] < 20;
  };
  auto mask = sample(comm, plane, "mask");
  mask.fill_with([&](const auto& place, int) { return is_inside(place, 0) ? 1.0 : 0.0; });
  PictureSeries::Options options;
  options.mask = &mask;
  options.vectors = &mask;
  options.vector_components = {&mask, &mask};
  std::array<int, 2> margins{};  // of a page, as that of cells shows
  for (const Centring centring : {Centring::cell, Centring::node}) {
    auto field = sample(comm, plane, "u", centring);
    const long long shift = centring == Centring::node ? 1 : 0;
    field.fill_with([&](const auto& place, int) {
      return is_inside(place, shift) ? 1e9 : static_cast<double>(place[0] % 2);
    });
    PictureSeries series(comm, plane, scratch.path() / "masked", {&field}, options);
    series.write(0, 0);
    (void)series.finish(true);
    if (!comm.is_root()) continue;
    const PngImage image(scratch.path() / "masked/u_0000000000.png");
    if (centring == Centring::cell) margins = {image.width() - width, image.height() - height};
    const int across = image.width() - margins[0], up = image.height() - margins[1];
    const auto columns = static_cast<int>(64 + shift), rows = static_cast<int>(48 + shift);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        const PngImage::Colour colour = image.at(left + (2 * x + 1) * across / (2 * columns),
                                                 top + up - 1 - (2 * y + 1) * up / (2 * rows));
        const bool is_white = colour == PngImage::Colour{255, 255, 255};
        ASSERT_EQ(is_white, is_inside({x, y, 0}, shift)) << x << ' ' << y;
      }
  }
}

TEST(PictureSeries, SignedValuesHaveALightMiddle) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {64, 48, 1}, {64, 48, 1}};
  auto field = sample(comm, plane, "u");
  field.fill_with([](const auto& place, int) {
    return place[0] == 0 ? -3.0 : place[0] < 32 ? 0.0 : 1.0;
  });
  PictureSeries::Options options;
  options.colours = "cool_warm";
  PictureSeries series(comm, plane, scratch.path() / "signed", {&field}, options);
  series.write(0, 0);
  (void)series.finish(true);
  if (!comm.is_root()) return;
  const PngImage image(scratch.path() / "signed/u_0000000000.png");
  const auto at = [&](int x) { return image.at(left + 9 * x + 4, top + 100); };
  EXPECT_GT(at(0)[2], at(0)[0] + 100) << "blue";
  EXPECT_NEAR(at(10)[0], at(10)[2], 12) << "grey";
  EXPECT_GT(at(10)[1], 200);
  EXPECT_GT(at(50)[0], at(50)[2] + 20) << "red, a third of the way";
}

}  // namespace
}  // namespace cartwright::grid::test
