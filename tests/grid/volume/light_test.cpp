// SPDX-License-Identifier: Apache-2.0
// Pictures against what optics says, where that is known.
#include <cmath>
#include <limits>

#include "drawing.hpp"

namespace cartwright::grid::test {
namespace {

constexpr const char* cube_deck = "grid: {extent: [20, 20, 20], length: [1, 1, 1]}";

VolumeOptions along_z() {
  VolumeOptions options;
  options.size = {33, 33};
  options.camera.projection = Projection::orthographic;
  options.camera.elevation = 90;
  options.light = false;
  options.opaque = 1;
  return options;
}

const VolumePixel& middle_of(const VolumeImage& image) {
  const int column = image.camera.width / 2 - image.box.left;
  const int row = image.camera.height / 2 - image.box.top;
  return image.pixels[static_cast<std::size_t>(row * image.box.width() + column)];
}

TEST(Light, OfAConstantFieldFollowsBeer) {
  Drawing drawing(cube_deck, [](const std::array<double, 3>&, int) { return 300.0; });
  for (const double opacity : {0.02, 0.2, 0.9})
    for (const double step : {0.1, 0.5, 2.0}) {
      VolumeOptions options = along_z();
      options.step = step;
      options.opacity = {{200, opacity}, {400, opacity}};
      options.palette = {{200, 1, 0.5, 0}, {400, 1, 0.5, 0}};
      const VolumeImage image = drawing.image(options);
      if (!drawing.grid().comm().is_root()) continue;
      // A tenth of the side has that opacity, and the ray's ten tenths lie behind each other.
      const double expected = 1 - std::pow(1 - opacity, 10);
      EXPECT_NEAR(middle_of(image).opacity, expected, 1e-4);
      EXPECT_NEAR(middle_of(image).red, expected, 1e-4);
      EXPECT_NEAR(middle_of(image).green, 0.5 * expected, 1e-4);
      EXPECT_NEAR(middle_of(image).blue, 0, 1e-6);
    }
}

TEST(Light, LinearValuesAreInterpolatedExactly) {
  Drawing drawing(cube_deck, [](const std::array<double, 3>& x, int) { return x[0]; });
  VolumeOptions options = along_z();
  options.mode = VolumeMode::maximum;
  options.range = {0.0, 1.0};
  options.palette = {{0, 0, 0, 0}, {1, 1, 1, 1}};
  const VolumeImage image = drawing.image(options);
  if (!drawing.grid().comm().is_root()) return;
  for (int column = 0; column < image.camera.width; ++column) {
    const Ray ray = image.camera.ray(column, image.camera.height / 2);
    // Towards the ends there is no more than the outermost cells' values.
    if (ray.at[0] < 0.03 || ray.at[0] > 0.97) continue;
    const auto at = static_cast<std::size_t>(
        (image.camera.height / 2 - image.box.top) * image.box.width() + column - image.box.left);
    EXPECT_NEAR(image.pixels[at].red, ray.at[0], 1e-3);
  }
}

TEST(Light, TheNearSideHidesTheFarOne) {
  // Above red, below blue; both opaque.
  Drawing drawing(cube_deck, [](const std::array<double, 3>& x, int) { return x[2]; });
  VolumeOptions options = along_z();
  options.range = {0.0, 1.0};
  options.palette = {{0, 0, 0, 1}, {1, 1, 0, 0}};
  options.opacity = {{0, 0.9999}, {1, 0.9999}};
  for (const bool from_above : {true, false}) {
    options.camera.elevation = from_above ? 90 : -90;
    const VolumeImage image = drawing.image(options);
    if (!drawing.grid().comm().is_root()) continue;
    EXPECT_GT(middle_of(image).opacity, 0.999);
    EXPECT_EQ(middle_of(image).red > middle_of(image).blue, from_above);
  }
}

TEST(Light, PerspectiveMeetsOrthographyFarAway) {
  Drawing drawing(cube_deck, [](const std::array<double, 3>& x, int) { return bumps(x); });
  VolumeOptions options;
  options.size = {40, 40};
  options.step = 0.05;  // samples lie elsewhere
  options.camera.eye = std::array{2000.0, 900.0, 700.0};
  options.camera.target = std::array{0.5, 0.5, 0.5};
  options.camera.projection = Projection::orthographic;
  const auto parallel = drawing.by_all(options, 0);
  options.camera.projection = Projection::perspective;
  const double distance = std::sqrt(1999.5 * 1999.5 + 899.5 * 899.5 + 699.5 * 699.5);
  options.camera.view_angle = 1;  // the least that decks allow
  options.camera.zoom = std::tan(0.5 * 3.14159265358979 / 180) * distance / (0.5 * std::sqrt(3.0));
  const auto central = drawing.by_all(options, 0);
  if (!drawing.grid().comm().is_root()) return;
  EXPECT_LE(largest_difference(parallel, central), 6);
}

TEST(Light, AnOrbitComesBack) {
  Drawing drawing(cube_deck, [](const std::array<double, 3>& x, int) { return bumps(x); });
  VolumeOptions options;
  options.size = {40, 30};
  options.orbit.frames = 5;
  EXPECT_LE(largest_difference(drawing.by_all(options, 0), drawing.by_all(options, 5)), 1);
  if (!drawing.grid().comm().is_root()) return;
  EXPECT_GT(largest_difference(drawing.by_one(options, 0), drawing.by_one(options, 2)), 10);
}

TEST(Light, VectorsAreDrawnByTheirMagnitudes) {
  SampleRun run(cube_deck);
  Grid<3> grid(*run);
  Field<double, 3> magnitude(grid, "u");
  Field<Vector<double, 3>, 3> vector(grid, "v");
  magnitude.set_from([](const std::array<double, 3>& x, int) { return 5 * bumps(x) * bumps(x); });
  vector.set_from([](const std::array<double, 3>& x, int component) {
    return bumps(x) * bumps(x) * (component == 0 ? 3 : component == 1 ? -4 : 0);
  });
  VolumeOptions options;
  options.size = {40, 30};
  std::vector<std::vector<unsigned char>> pictures;
  for (const FieldBase* const field :
       {static_cast<const FieldBase*>(&magnitude), static_cast<const FieldBase*>(&vector)}) {
    VolumeRenderer renderer(*field, options);
    renderer.load();
    const VolumeImage image = renderer.draw(0);
    if (grid.comm().is_root()) pictures.push_back(view_pixels(image));
  }
  if (!grid.comm().is_root()) return;
  EXPECT_LE(largest_difference(pictures[0], pictures[1]), 1);
  EXPECT_GT(inked(pictures[0]), 300U);
}

TEST(Light, GridsWithoutAVolumeAreRefused) {
  SampleRun run("grid: {extent: [16, 16], length: [1, 1]}");
  Grid<2> grid(*run);
  Field<double, 2> field(grid, "u");
  const VolumeOptions options;
  try {
    const VolumeRenderer renderer(field, options);
    FAIL() << "nothing was thrown";
  } catch (const rt::Error& error) {
    EXPECT_NE(std::string(error.what()).find("can't be drawn as a volume"), std::string::npos);
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
  }
}

}  // namespace
}  // namespace cartwright::grid::test
