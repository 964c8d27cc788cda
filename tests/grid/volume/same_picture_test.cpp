// SPDX-License-Identifier: Apache-2.0
// Whatever the ranks, the cuts, the camera and the way in which parts become one: the picture is
// the one that a rank draws alone, up to 1/255.
#include <limits>

#include "drawing.hpp"

namespace cartwright::grid::test {
namespace {

constexpr const char* box_deck = "grid: {extent: [17, 13, 11], length: [1.7, 1.3, 1.1]}";

VolumeOptions small_picture() {
  VolumeOptions options;
  options.size = {46, 38};
  options.orbit.frames = 6;
  options.density = 3;
  return options;
}

void expect_same(Drawing& drawing, const VolumeOptions& options, const std::string& what,
                 long long first = 0, long long end = 6) {
  for (long long frame = first; frame < end; ++frame) {
    const auto by_all = drawing.by_all(options, frame);
    const auto by_one = drawing.by_one(options, frame);
    if (!drawing.grid().comm().is_root()) continue;
    EXPECT_LE(largest_difference(by_all, by_one), 1) << what << ", frame " << frame;
    EXPECT_GT(inked(by_all), 300U) << what << ", frame " << frame;
  }
}

double bumpy(const std::array<double, 3>& x, int /*component*/) {
  return bumps(x);
}

TEST(SamePicture, FromAllSidesInEveryMode) {
  Drawing drawing(box_deck, bumpy);
  for (const Projection projection : {Projection::perspective, Projection::orthographic})
    for (const VolumeMode mode : {VolumeMode::over, VolumeMode::maximum})
      for (const double elevation : {-50.0, 20.0}) {
        VolumeOptions options = small_picture();
        options.camera.projection = projection;
        options.camera.elevation = elevation;
        options.mode = mode;
        expect_same(drawing, options,
                    fmt::format("projection {}, mode {}, {}", static_cast<int>(projection),
                                static_cast<int>(mode), elevation));
      }
}

TEST(SamePicture, ByEveryCompositing) {
  Drawing drawing(box_deck, bumpy);
  std::vector<std::string> methods{"auto",        "direct_send",       "binary_swap",
                                   "binomial",    "n_way_binomial(2)", "pipeline(3)",
                                   "clairvoyant", "clairvoyant(4)"};
  if (ranks() % 2 == 0)
    methods.push_back(fmt::format("radix_k({},2)", ranks() / 2 > 1 ? ranks() / 2 : 2));
  if (ranks() == 2) methods.back() = "radix_k(2)";
  for (const std::string& method : methods)
    for (const VolumeMode mode : {VolumeMode::over, VolumeMode::maximum}) {
      VolumeOptions options = small_picture();
      options.compositing = method;
      options.mode = mode;
      expect_same(drawing, options, method);
    }
  VolumeOptions commutes = small_picture();
  commutes.compositing = "ring";
  commutes.mode = VolumeMode::maximum;
  expect_same(drawing, commutes, "ring");
}

TEST(SamePicture, FromWithin) {
  Drawing drawing(box_deck, bumpy);
  for (const auto& eye : {std::array{0.9, 0.6, 0.5}, std::array{0.85, 0.65, 0.3},
                          std::array{0.1, 0.05, 1.0}, std::array{1.7, 1.3, 0.2}}) {
    VolumeOptions options = small_picture();
    options.camera.eye = eye;
    options.camera.view_angle = 100;
    options.density = 12;
    expect_same(drawing, options, fmt::format("eye {} {} {}", eye[0], eye[1], eye[2]));
  }
}

TEST(SamePicture, AlongAnAxis) {
  Drawing drawing(box_deck, bumpy);
  for (const Projection projection : {Projection::perspective, Projection::orthographic})
    for (const int axis : {0, 1, 2})
      for (const double elevation : {-90.0, 0.0, 90.0}) {
        VolumeOptions options = small_picture();
        options.camera.projection = projection;
        options.camera.azimuth = 0;
        options.camera.elevation = elevation;
        options.orbit = {4, 360, static_cast<OrbitAxis>(axis)};
        expect_same(drawing, options, fmt::format("axis {}, elevation {}", axis, elevation), 0, 4);
      }
}

TEST(SamePicture, OfBlocksOneCellThick) {
  const int p = ranks();
  for (const int axis : {0, 1, 2}) {
    std::array<int, 3> extent{7, 5, 6}, grid{1, 1, 1};
    extent[static_cast<std::size_t>(axis)] = p;
    grid[static_cast<std::size_t>(axis)] = p;
    Drawing drawing(fmt::format("grid: {{extent: [{}, {}, {}], length: [1, 1, 1]}}\n"
                                "mapping: {{process_grid: [{}, {}, {}]}}",
                                extent[0], extent[1], extent[2], grid[0], grid[1], grid[2]),
                    bumpy);
    expect_same(drawing, small_picture(), fmt::format("axis {}", axis));
  }
}

TEST(SamePicture, OfPeriodicAxesNodesAndFaces) {
  for (const Centring centring : {Centring::cell, Centring::node, Centring::face_y})
    for (const char* periodic : {"[false, false, false]", "[true, false, true]"}) {
      Drawing drawing(
          fmt::format("grid: {{extent: [11, 13, 9], length: [1, 1, 1], periodic: {}}}", periodic),
          bumpy, centring);
      expect_same(drawing, small_picture(), periodic, 0, 3);
    }
}

TEST(SamePicture, OfDenseMatterThatEndsRays) {
  Drawing drawing(box_deck, bumpy);
  for (const double opaque : {0.998, 0.999, 1.0}) {
    VolumeOptions options = small_picture();
    options.density = 60;
    options.opaque = opaque;
    expect_same(drawing, options, fmt::format("opaque {}", opaque));
  }
}

TEST(SamePicture, WithHolesWhereThereAreNoNumbers) {
  Drawing drawing(box_deck, [](const std::array<double, 3>& x, int) {
    if (x[0] > 0.6 && x[0] < 0.9 && x[1] > 0.4) return std::numeric_limits<double>::quiet_NaN();
    if (x[2] > 0.9 && x[1] < 0.3) return -std::numeric_limits<double>::infinity();
    return bumps(x);
  });
  for (const VolumeMode mode : {VolumeMode::over, VolumeMode::maximum}) {
    VolumeOptions options = small_picture();
    options.mode = mode;
    expect_same(drawing, options, "holes");
  }
}

TEST(SamePicture, NothingButNan) {
  Drawing drawing(box_deck, [](const std::array<double, 3>&, int) {
    return std::numeric_limits<double>::quiet_NaN();
  });
  EXPECT_EQ(inked(drawing.by_all(small_picture(), 0)), 0U);
}

TEST(SamePicture, WhereTheGridIsOutOfView) {
  Drawing drawing(box_deck, bumpy);
  VolumeOptions options = small_picture();
  options.camera.eye = std::array{5.0, 5.0, 5.0};
  options.camera.target = std::array{10.0, 10.0, 5.0};
  for (const VolumeMode mode : {VolumeMode::over, VolumeMode::maximum})
    for (const Projection projection : {Projection::perspective, Projection::orthographic}) {
      options.mode = mode;
      options.camera.projection = projection;
      EXPECT_EQ(inked(drawing.by_all(options, 0)), 0U);
    }
}

TEST(SamePicture, OfLargeNumbersThatDifferLittle) {
  Drawing drawing(box_deck, [](const std::array<double, 3>& x, int) { return 1e9 + bumps(x); });
  expect_same(drawing, small_picture(), "offset");
  Drawing huge(box_deck, [](const std::array<double, 3>& x, int) { return 1e300 * bumps(x); });
  expect_same(huge, small_picture(), "huge");
}

}  // namespace
}  // namespace cartwright::grid::test
