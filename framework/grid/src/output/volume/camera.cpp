// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/volume/camera.hpp>

#include <algorithm>
#include <limits>
#include <numbers>

namespace cartwright::grid {
namespace {

using Place = std::array<double, 3>;

constexpr double margin_of_view = 1.0;  // around what fits

double dot(const Place& a, const Place& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Place cross(const Place& a, const Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Place plus(const Place& a, double factor, const Place& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Place unit(const Place& a) {
  const double inverse = 1 / std::sqrt(dot(a, a));
  return {a[0] * inverse, a[1] * inverse, a[2] * inverse};
}
Place corner_of(const Place& lower, const Place& upper, unsigned number) {
  return {(number & 1U) != 0 ? upper[0] : lower[0], (number & 2U) != 0 ? upper[1] : lower[1],
          (number & 4U) != 0 ? upper[2] : lower[2]};
}
Place upper_end(const GridDescription& grid) {
  return {grid.origin[0] + grid.length[0], grid.origin[1] + grid.length[1],
          grid.origin[2] + grid.length[2]};
}

/// The axis of the orbit, and two across it.
struct Axes {
  Place up{}, first{}, second{};
  explicit Axes(OrbitAxis about) {
    const auto axis = static_cast<int>(about);
    up[static_cast<std::size_t>(axis)] = 1;
    first[static_cast<std::size_t>((axis + 1) % 3)] = 1;
    second[static_cast<std::size_t>((axis + 2) % 3)] = 1;
  }
  /// From the target to the camera, of length 1.
  [[nodiscard]] Place direction(double azimuth, double elevation) const {
    Place result = plus(Place{}, std::sin(elevation), up);
    result = plus(result, std::cos(elevation) * std::cos(azimuth), first);
    return plus(result, std::cos(elevation) * std::sin(azimuth), second);
  }
};

/// Towards the camera, and how far away it is (0: as far as it takes to see all).
struct Standpoint {
  Place direction{};
  double distance = 0;
};

Standpoint standpoint_of(const VolumeOptions& options, const Axes& axes, const Place& target,
                         double turn) {
  constexpr double degree = std::numbers::pi / 180;
  const VolumeCamera& camera = options.camera;
  if (!camera.eye)
    return {axes.direction(camera.azimuth * degree + turn, camera.elevation * degree), 0};
  const Place offset = plus(*camera.eye, -1, target);
  const double along = dot(offset, axes.up);
  const double a = dot(offset, axes.first), b = dot(offset, axes.second);
  Place turned = plus(Place{}, along, axes.up);
  turned = plus(turned, a * std::cos(turn) - b * std::sin(turn), axes.first);
  turned = plus(turned, a * std::sin(turn) + b * std::cos(turn), axes.second);
  return {unit(turned), std::sqrt(dot(offset, offset))};
}

/// Upwards in the picture; where one looks along the axis, another axis is up.
void set_directions(Camera& camera, const Axes& axes, const Place& toward_camera) {
  const Place forward = plus(Place{}, -1, toward_camera);
  const bool is_upright = std::abs(dot(forward, axes.up)) < 1 - 1e-9;
  const Place right = unit(cross(forward, is_upright ? axes.up : axes.second));
  const Place up = cross(right, forward);
  std::ranges::copy(forward, camera.forward);
  std::ranges::copy(right, camera.right);
  std::ranges::copy(up, camera.up);
}

/// Samples that may lie between the corners of the grid.
void set_samples(Camera& camera, const GridDescription& grid) {
  double nearest = std::numeric_limits<double>::infinity(), farthest = -nearest;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Place place = corner_of(grid.origin, upper_end(grid), corner);
    const Place offset = plus(place, -1, {camera.eye[0], camera.eye[1], camera.eye[2]});
    nearest = std::min(nearest, camera.depth(place));
    farthest = std::max(farthest,
                        camera.perspective ? std::sqrt(dot(offset, offset)) : camera.depth(place));
  }
  if (camera.perspective) nearest = std::max(nearest, 0.0);
  camera.first_sample = static_cast<long long>(std::floor(nearest / camera.step)) - 1;
  if (camera.perspective) camera.first_sample = std::max(camera.first_sample, 0LL);
  camera.end_sample =
      std::max(camera.first_sample, static_cast<long long>(std::ceil(farthest / camera.step)) + 1);
}

}  // namespace

double Camera::depth(const Place& place) const {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) sum += (place[axis] - eye[axis]) * forward[axis];
  return sum;
}

std::optional<std::array<double, 2>> Camera::project(const Place& place) const {
  double x = 0, y = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    x += (place[axis] - eye[axis]) * right[axis];
    y += (place[axis] - eye[axis]) * up[axis];
  }
  double scale = height / (2 * half_height);
  if (perspective) {
    const double ahead = depth(place);
    const double aside = std::sqrt(x * x + y * y);
    if (!(ahead > 1e-3 * aside) || ahead <= 0) return std::nullopt;
    scale /= ahead;
  }
  return std::array{0.5 * width + x * scale, 0.5 * height - y * scale};
}

PixelBox Camera::covered(const Place& lower, const Place& upper) const {
  const PixelBox whole{0, 0, width, height};
  std::array<double, 2> least{1e9, 1e9}, most{-1e9, -1e9};
  int behind = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const auto at = project(corner_of(lower, upper, corner));
    if (!at) ++behind;
    for (std::size_t i = 0; at && i < 2; ++i) {
      least[i] = std::min(least[i], (*at)[i]);
      most[i] = std::max(most[i], (*at)[i]);
    }
  }
  if (behind > 0) return whole;
  // A pixel more on each side: what rounding may bring.
  const auto clamped = [](double value, int end) {
    return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(end)));
  };
  return {clamped(std::floor(least[0]) - 1, width), clamped(std::floor(least[1]) - 1, height),
          clamped(std::ceil(most[0]) + 1, width), clamped(std::ceil(most[1]) + 1, height)};
}

Camera camera_of_frame(const VolumeOptions& options, const GridDescription& grid, long long frame) {
  constexpr double degree = std::numbers::pi / 180;
  Camera camera;
  camera.perspective = options.camera.projection == Projection::perspective;
  camera.width = options.size[0];
  camera.height = options.size[1];
  double least = grid.least_spacing(0);
  for (int axis = 1; axis < 3; ++axis) least = std::min(least, grid.least_spacing(axis));
  camera.step = options.step * least;

  const Axes axes(options.orbit.axis);
  const Place target = options.camera.target.value_or(plus(grid.origin, 0.5, grid.length));
  const double turn = options.orbit.turn * degree * static_cast<double>(frame) /
                      static_cast<double>(options.orbit.frames);
  const Standpoint stand = standpoint_of(options, axes, target, turn);
  set_directions(camera, axes, stand.direction);

  // What is seen fits where a ball around the target does that holds the grid's diagonal.
  const double radius = 0.5 * margin_of_view * std::sqrt(dot(grid.length, grid.length));
  const double narrow = std::min(1.0, static_cast<double>(camera.width) / camera.height);
  if (camera.perspective) {
    const double half_angle = 0.5 * options.camera.view_angle * degree;
    const double fitting = std::atan(std::tan(half_angle) * narrow);
    const double distance = stand.distance > 0 ? stand.distance : radius / std::sin(fitting);
    // With a place of its own the camera zooms by its angle, else too: its place stays.
    camera.half_height = std::tan(half_angle) / options.camera.zoom;
    std::ranges::copy(plus(target, distance, stand.direction), camera.eye);
  } else {
    camera.half_height = radius / narrow / options.camera.zoom;
    std::ranges::copy(target, camera.eye);
  }
  set_samples(camera, grid);
  return camera;
}

}  // namespace cartwright::grid
