// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/colour_map.hpp>
#include <cartwright/grid/output/picture_series.hpp>

#include <limits>

#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

/// CIE L*, 0 … 100, of an sRGB colour.
double lightness(const std::array<double, 3>& colour) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double y =
      0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  return 116 * std::cbrt(y) - 16;
}

TEST(Viridis, LightnessRisesEvenly) {
  const double darkest = lightness(viridis(0));
  const double lightest = lightness(viridis(1));
  EXPECT_NEAR(darkest, 15, 2);
  EXPECT_NEAR(lightest, 91, 2);
  for (int i = 0; i <= 100; ++i) {
    const double even = darkest + (lightest - darkest) * i / 100.0;
    EXPECT_NEAR(lightness(viridis(i / 100.0)), even, 3) << i;
  }
}

/// What the slice of a sample field must hold.
void expect_slice(const GridDescription& grid, Centring centring, std::optional<SlicePlane> plane,
                  int across, long long place, int most) {
  const Team comm = world();
  auto field = sample(comm, grid, "u", centring);
  field.fill(0.7);
  const Slice slice = gather_slice(comm, grid, field, plane, most);
  if (!comm.is_root()) {
    EXPECT_TRUE(slice.values.empty());
    return;
  }
  const auto global = field.block().global;
  const auto [right, up] = slice.axes;
  std::size_t at = 0;
  for (int j = 0; j < slice.count[1]; ++j)
    for (int i = 0; i < slice.count[0]; ++i) {
      std::array<long long, 3> point{0, 0, 0};
      point[static_cast<std::size_t>(across)] = place;
      const auto sampled = [](int pixel, long long points, int count) {
        return (2LL * pixel + 1) * points / (2LL * count);
      };
      point[static_cast<std::size_t>(up)] =
          sampled(j, global[static_cast<std::size_t>(up)], slice.count[1]);
      point[static_cast<std::size_t>(right)] =
          sampled(i, global[static_cast<std::size_t>(right)], slice.count[0]);
      ASSERT_EQ(slice.values.at(at++), SampleField<double>::number(point, 0, 0.7));
    }
  EXPECT_EQ(slice.values.size(), at);
}

TEST(Slice, ShowsTheRightPoints) {
  const GridDescription space{3, {12, 9, 8}, {1.2, 0.9, 0.8}};
  expect_slice({1, {17, 1, 1}}, Centring::cell, {}, 2, 0, 100);
  expect_slice({2, {17, 11, 1}}, Centring::node, {}, 2, 0, 100);
  expect_slice({2, {170, 11, 1}}, Centring::cell, {}, 2, 0, 30);
  expect_slice(space, Centring::cell, {}, 2, 3, 100);
  expect_slice(space, Centring::node, {}, 2, 4, 100);
  expect_slice(space, Centring::cell, SlicePlane{0, 0.25}, 0, 2, 100);
  expect_slice(space, Centring::cell, SlicePlane{1, 99}, 1, 8, 5);
}

/// From one cell beside a hundred thousand: whole pictures of a size that a screen has.
TEST(Picture, OfExtremeExtents) {
  const Team comm = world();
  const Scratch scratch(comm);
  const std::vector<GridDescription> grids{{2, {1, 100000, 1}},
                                           {2, {100000, 1, 1}},
                                           {2, {1, 100000, 1}, {1e-3, 1e5, 1}},
                                           {2, {3, 50000, 1}, {1e6, 1, 1}},
                                           {2, {1, 1, 1}, {1e-9, 1e9, 1}},
                                           {1, {100000, 1, 1}},
                                           {1, {1, 1, 1}}};
  for (std::size_t number = 0; number < grids.size(); ++number) {
    auto field = sample(comm, grids[number], "u");
    field.fill(0.7);
    const Slice slice = gather_slice(comm, grids[number], field, {}, 512);
    if (!comm.is_root()) continue;
    EXPECT_LE(slice.count[0], 512);
    EXPECT_LE(slice.count[1], 512);
    const fs::path file = scratch.path() / (std::to_string(number) + ".png");
    PictureText words;
    words.field = "u";
    words.length_unit = "m";
    draw_picture(file, slice, {0, 1e7}, words);
    const std::string png = contents(file);
    ASSERT_GT(png.size(), 100U) << number;
    const auto pixels = [&](std::size_t at) {
      int value = 0;
      for (std::size_t byte = 0; byte < 4; ++byte)
        value = 256 * value + static_cast<unsigned char>(png[at + byte]);
      return value;
    };
    EXPECT_GT(pixels(16), 200) << number;
    EXPECT_LT(pixels(16), 1200) << number;
    EXPECT_GT(pixels(20), 200) << number;
    EXPECT_LT(pixels(20), 1200) << number;
  }
}

std::string all_pictures(const fs::path& directory) {
  std::string text;
  for (const int step : {0, 10, 20})
    text += contents(
        directory / ("u_00000000" + std::string(step == 0 ? "00" : std::to_string(step)) + ".png"));
  return text;
}

TEST(PictureSeries, RestartEndsWithTheSamePictures) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {20, 16, 1}};
  auto field = sample(comm, plane, "u");
  const auto write = [&](PictureSeries& series, long long step) {
    field.fill(0.1);
    for (double& value : field.values()) value *= static_cast<double>(1 + step);
    series.write(step, 0.1 * static_cast<double>(step));
  };
  PictureSeries::Options options;
  options.title = "heat";
  PictureSeries undisturbed(comm, plane, scratch.path() / "a", {&field}, options);
  for (const long long step : {0, 10, 20}) write(undisturbed, step);
  const std::string first_drawn = contents(scratch.path() / "a/u_0000000000.png");
  MPI_Barrier(comm.handle());
  undisturbed.finish(true);
  EXPECT_NE(contents(scratch.path() / "a/u_0000000000.png"), first_drawn) << "one range for all";
  {
    PictureSeries killed(comm, plane, scratch.path() / "b", {&field}, options);
    for (const long long step : {0, 10, 30}) write(killed, step);
  }
  options.restart_step = 10;
  PictureSeries restarted(comm, plane, scratch.path() / "b", {&field}, options);
  EXPECT_FALSE(fs::exists(scratch.path() / "b/u_0000000030.png"));
  write(restarted, 10);
  write(restarted, 20);
  restarted.finish(true);
  EXPECT_EQ(all_pictures(scratch.path() / "a"), all_pictures(scratch.path() / "b"));
  EXPECT_EQ(contents(scratch.path() / "a/u_0000000000.png").substr(1, 3), "PNG");
}

TEST(PictureSeries, LeavesNoSlicesBehind) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {20, 16, 1}};
  auto field = sample(comm, plane, "u");
  const auto write = [&](PictureSeries& series, long long step, double factor) {
    field.fill(0.1);
    for (double& value : field.values()) value *= factor;
    series.write(step, 0.0);
  };
  const fs::path slices = scratch.path() / "a/.slices";
  PictureSeries::Options options;
  {
    PictureSeries series(comm, plane, scratch.path() / "a", {&field}, options);
    write(series, 0, 1.0);
    write(series, 1, 9.0);
    EXPECT_TRUE(fs::exists(slices));
    MPI_Barrier(comm.handle());
    series.finish(false);
    EXPECT_TRUE(fs::exists(slices)) << "a restart needs them";
    MPI_Barrier(comm.handle());
    series.finish(true);
    MPI_Barrier(comm.handle());
    EXPECT_FALSE(fs::exists(slices));
  }
  const std::string with_all = contents(scratch.path() / "a/u_0000000000.png");
  MPI_Barrier(comm.handle());
  // Killed just after: the restart comes from an earlier checkpoint, and draws with the same range.
  options.restart_step = -1;
  PictureSeries again(comm, plane, scratch.path() / "a", {&field}, options);
  write(again, 0, 1.0);
  MPI_Barrier(comm.handle());
  EXPECT_EQ(contents(scratch.path() / "a/u_0000000000.png"), with_all);
  MPI_Barrier(comm.handle());
  again.finish(true);
  options = {};
  options.range = ValueRange{0.0, 1.0};
  PictureSeries fixed(comm, plane, scratch.path() / "b", {&field}, options);
  write(fixed, 0, 1.0);
  MPI_Barrier(comm.handle());
  EXPECT_FALSE(fs::exists(scratch.path() / "b/.slices")) << "nothing will be drawn anew";
}

TEST(PictureSeries, RangesThatCannotBeOpenedAreAnError) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {20, 16, 1}};
  auto field = sample(comm, plane, "u");
  PictureSeries::Options options;
  options.restart_step = 0;
  EXPECT_NO_THROW(PictureSeries(comm, plane, scratch.path(), {&field}, options))
      << "there are none";
  MPI_Barrier(comm.handle());
  if (comm.is_root()) fs::create_symlink("ranges.txt", scratch.path() / "ranges.txt");
  MPI_Barrier(comm.handle());
  EXPECT_THROW(PictureSeries(comm, plane, scratch.path(), {&field}, options), rt::Error);
}

TEST(PictureSeries, AGivenRangeIsKeptHoweverNarrow) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {20, 20, 1}};
  auto field = sample(comm, plane, "u");
  field.fill_with([&](const auto& place, int) { return place[0] % 2 == 0 ? 300.0 : 300.0001; });
  const auto drawn_in = [&](const std::string& name, ValueRange range) {
    PictureSeries::Options options;
    options.range = range;
    PictureSeries series(comm, plane, scratch.path() / name, {&field}, options);
    series.write(0, 0);
    series.finish(true);
    MPI_Barrier(comm.handle());
    return contents(scratch.path() / name / "u_0000000000.png");
  };
  const std::string narrow = drawn_in("narrow", {300.0, 300.0001});
  EXPECT_NE(narrow, drawn_in("wide", {149.99995, 450.00015}));
  EXPECT_FALSE(drawn_in("narrowest", {300.0, std::nextafter(300.0, 301.0)}).empty());
}

TEST(PictureSeries, ConstantAndInfiniteFieldsAreDrawn) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription line{1, {20, 1, 1}};
  auto field = sample(comm, line, "u");
  PictureSeries series(comm, line, scratch.path(), {&field}, {});
  std::ranges::fill(field.values(), 0.0);
  series.write(0, 0);
  std::ranges::fill(field.values(), std::nan(""));
  series.write(1, 0);
  series.finish(true);
  EXPECT_TRUE(fs::exists(scratch.path() / "u_0000000001.png"));
}

TEST(PictureSeries, TheLargestNumbersAreDrawn) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {5, 4, 1}};
  auto field = sample(comm, plane, "u");
  PictureSeries series(comm, plane, scratch.path(), {&field}, {});
  constexpr double most = std::numeric_limits<double>::max();
  for (const double low : {most, -most, 0.0}) {
    field.fill_with([&](const auto& place, int) { return place[0] % 2 == 0 ? low : most; });
    series.write(low == most ? 1 : 2, 0);
  }
  series.finish(true);
  EXPECT_TRUE(fs::exists(scratch.path() / "u_0000000001.png"));
  EXPECT_TRUE(fs::exists(scratch.path() / "u_0000000002.png"));
}

}  // namespace
}  // namespace cartwright::grid::test
