// SPDX-License-Identifier: Apache-2.0
// No ray meets a block before one that comes earlier in the order of depth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/grid/output/volume/depth_order.hpp>
#include <numeric>
#include <random>

namespace cartwright::grid {
namespace {

struct Scene {
  GridDescription grid;
  Cuts cuts;
  Camera camera;
};

Scene random_scene(std::mt19937& random) {
  Scene scene;
  std::uniform_real_distribution<double> any(-1, 1);
  std::uniform_int_distribution<int> parts(1, 4);
  scene.grid.dimensions = 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    scene.grid.extent[axis] = 12;
    scene.grid.length[axis] = 1.5 + any(random);
    scene.grid.origin[axis] = any(random);
    std::vector<long long> cuts{0, 12};
    for (int i = parts(random); i > 1; --i)
      cuts.insert(cuts.begin() + 1, 1 + static_cast<long long>(random() % 11));
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    scene.cuts.push_back(cuts);
  }
  VolumeOptions options;
  options.size = {9, 7};
  options.camera.projection =
      random() % 2 == 0 ? Projection::perspective : Projection::orthographic;
  options.camera.azimuth = 180 * any(random);
  options.camera.elevation = 90 * any(random);
  options.camera.view_angle = 120;
  options.orbit.axis = static_cast<OrbitAxis>(random() % 3);
  if (random() % 2 == 0) {  // also from within, and from a cut
    options.camera.eye = std::array{0.0, 0.0, 0.0};
    for (std::size_t axis = 0; axis < 3; ++axis)
      (*options.camera.eye)[axis] =
          random() % 4 == 0
              ? scene.grid.position(static_cast<int>(axis), Centring::node, scene.cuts[axis].back())
              : scene.grid.origin[axis] + scene.grid.length[axis] * (0.5 + 0.8 * any(random));
  }
  scene.camera = camera_of_frame(options, scene.grid, static_cast<long long>(random() % 5));
  return scene;
}

/// The blocks that a ray goes through, nearest first.
std::vector<int> blocks_along(const Scene& scene, const Ray& ray) {
  std::vector<int> blocks;
  constexpr int samples = 400;
  const double reach = scene.camera.step * static_cast<double>(scene.camera.end_sample);
  const double first = scene.camera.perspective ? 0 : -reach;
  for (int i = 0; i < samples; ++i) {
    const double t = first + (reach - first) * i / samples;
    int rank = 0;
    bool is_inside = true;
    for (std::size_t axis = 3; axis-- > 0;) {
      const double cell = (ray.at[axis] + t * ray.toward[axis] - scene.grid.origin[axis]) /
                          scene.grid.spacing(static_cast<int>(axis));
      const auto& cuts = scene.cuts[axis];
      is_inside = is_inside && cell > 0 && cell < 12;
      const auto above = std::ranges::find_if(
          cuts, [&](long long cut) { return cell < static_cast<double>(cut); });
      rank = rank * static_cast<int>(cuts.size() - 1) +
             static_cast<int>(std::max<std::ptrdiff_t>(above - cuts.begin() - 1, 0));
    }
    if (is_inside && (blocks.empty() || blocks.back() != rank)) blocks.push_back(rank);
  }
  return blocks;
}

TEST(DepthOrder, IsThatOfEveryRay) {
  std::mt19937 random(11);
  int longest = 0;
  for (int round = 0; round < 300; ++round) {
    const Scene scene = random_scene(random);
    const std::vector<int> order =
        ranks_by_depth(slabs_by_depth(scene.camera, scene.grid, scene.cuts));
    std::vector<int> place(order.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i)
      place.at(static_cast<std::size_t>(order[i])) = static_cast<int>(i);
    ASSERT_TRUE(std::ranges::none_of(place, [](int at) { return at < 0; }));
    for (int row = 0; row < scene.camera.height; ++row)
      for (int column = 0; column < scene.camera.width; ++column) {
        const std::vector<int> met = blocks_along(scene, scene.camera.ray(column, row));
        longest = std::max(longest, static_cast<int>(met.size()));
        for (std::size_t i = 1; i < met.size(); ++i)
          ASSERT_LT(place[static_cast<std::size_t>(met[i - 1])],
                    place[static_cast<std::size_t>(met[i])])
              << "round " << round;
      }
  }
  EXPECT_GT(longest, 5);
}

TEST(DepthOrder, TheViewCoversEveryRayThatMeetsTheGrid) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const Scene scene = random_scene(random);
    std::array<double, 3> upper = scene.grid.origin;
    for (std::size_t axis = 0; axis < 3; ++axis) upper[axis] += scene.grid.length[axis];
    const PixelBox box = scene.camera.covered(scene.grid.origin, upper);
    for (int row = 0; row < scene.camera.height; ++row)
      for (int column = 0; column < scene.camera.width; ++column) {
        const bool is_in =
            column >= box.left && column < box.right && row >= box.top && row < box.bottom;
        if (!is_in) {
          ASSERT_TRUE(blocks_along(scene, scene.camera.ray(column, row)).empty())
              << "round " << round;
        }
      }
  }
}

}  // namespace
}  // namespace cartwright::grid
