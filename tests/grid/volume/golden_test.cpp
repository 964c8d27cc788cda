// SPDX-License-Identifier: Apache-2.0
// Whole pictures, with edges, colour bar and words, against those that a person has looked at.
// CARTWRIGHT_GOLDEN=DIRECTORY writes them anew.
#include <cartwright/grid/output/root_only.hpp>

#include "drawing.hpp"
#include "png_image.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

/// How much of the view alone differs by more than a shade or two; words depend on fonts.
double different_part(const PngImage& a, const PngImage& b, const VolumeOptions& options) {
  if (a.width() != b.width() || a.height() != b.height()) return 1;
  int different = 0;
  const int left = 20, top = a.height() - 20 - options.size[1];
  for (int row = top; row < top + options.size[1]; ++row)
    for (int column = left; column < left + options.size[0]; ++column)
      for (std::size_t c = 0; c < 3; ++c)
        if (std::abs(a.at(column, row)[c] - b.at(column, row)[c]) > 3) {
          ++different;
          break;
        }
  return static_cast<double>(different) / (options.size[0] * options.size[1]);
}

void expect_golden(const std::string& name, const VolumeOptions& options) {
  Drawing drawing("grid: {extent: [32, 24, 28], length: [1.6, 1.2, 1.4]}",
                  [](const std::array<double, 3>& x, int) { return 300 + 50 * bumps(x); });
  const Scratch scratch(drawing.grid().comm().communicator());
  const VolumeImage image = drawing.image(options);
  const char* const renew = std::getenv("CARTWRIGHT_GOLDEN");
  const std::filesystem::path directory = renew != nullptr ? renew : scratch.path().string();
  on_root(drawing.grid().comm().all(), [&] {
    const PictureText words{"temperature", "K", "m", "sample", 12, 0.5, "s"};
    draw_volume_picture(directory / (name + ".png"), image, options, drawing.grid().description(),
                        words);
    const PngImage drawn(directory / (name + ".png"));
    const PngImage golden(std::filesystem::path(GOLDEN) / (name + ".png"));
    EXPECT_LT(different_part(drawn, golden, options), 0.005) << name;
  });
}

TEST(Golden, Perspective) {
  VolumeOptions options;
  options.size = {160, 120};
  options.camera.azimuth = 50;
  expect_golden("perspective", options);
}

TEST(Golden, OrthographicShells) {
  VolumeOptions options;
  options.size = {160, 120};
  options.camera.projection = Projection::orthographic;
  options.transfer = OpacityShape::shells;
  options.colours = "cool_warm";
  options.camera.azimuth = -30;
  expect_golden("shells", options);
}

TEST(Golden, MaximumFromWithin) {
  VolumeOptions options;
  options.size = {160, 120};
  options.mode = VolumeMode::maximum;
  options.colours = "fire";
  options.camera.eye = std::array{0.8, 0.2, 0.7};
  options.camera.view_angle = 90;
  expect_golden("within", options);
}

}  // namespace
}  // namespace cartwright::grid::test
