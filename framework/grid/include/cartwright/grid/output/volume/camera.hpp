// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/elements/both_sides.hpp>
#include <cartwright/grid/run/volume_options.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cmath>
#include <optional>

namespace cartwright::grid {

/// A ray of a picture: at + t toward, t in the grid's unit of length.
struct Ray {
  double at[3];
  double toward[3];  ///< of length 1
};

/// Part of a picture: columns and rows from 0 on, row 0 at the top, ends excluded.
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;

  [[nodiscard]] CARTWRIGHT_BOTH_SIDES int width() const { return right - left; }
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES int height() const { return bottom - top; }
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES long long pixels() const {
    return static_cast<long long>(width()) * height();
  }
};

/// From where a picture is taken. Plain numbers, captured by kernels; the same on all ranks. Sample
/// k of a ray lies at t = (k + 1/2) step, whoever owns it: so pictures don't depend on how the grid
/// is cut.
struct Camera {
  bool perspective = true;
  double eye[3]{};  ///< of an orthographic one: in the plane that halves what it sees
  double forward[3]{}, right[3]{}, up[3]{};  ///< of length 1
  double half_height = 1;  ///< of the picture: the tangent of half the view angle, or a length
  int width = 1, height = 1;
  double step = 1;
  long long first_sample = 0, end_sample = 0;  ///< no others can lie in the grid

  /// Through the middle of a pixel.
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES Ray ray(int column, int row) const {
    const double pixel = 2 * half_height / height;
    const double a = (column + 0.5 - 0.5 * width) * pixel;
    const double b = (0.5 * height - row - 0.5) * pixel;
    Ray ray{};
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double aside = right[axis] * a + up[axis] * b;
      ray.at[axis] = eye[axis] + (perspective ? 0 : aside);
      ray.toward[axis] = forward[axis] + (perspective ? aside : 0);
      square += ray.toward[axis] * ray.toward[axis];
    }
    const double inverse = 1 / std::sqrt(square);
    for (double& each : ray.toward) each *= inverse;
    return ray;
  }

  /// Where a place is in the picture, in pixels; nothing behind or beside a perspective's eye.
  [[nodiscard]] std::optional<std::array<double, 2>> project(
      const std::array<double, 3>& place) const;
  /// Distance along the direction in which the camera looks.
  [[nodiscard]] double depth(const std::array<double, 3>& place) const;
  /// The pixels whose rays may meet a box; empty where none does.
  [[nodiscard]] PixelBox covered(const std::array<double, 3>& lower,
                                 const std::array<double, 3>& upper) const;
};

/// The camera of one frame of the orbit.
[[nodiscard]] Camera camera_of_frame(const VolumeOptions& options, const GridDescription& grid,
                                     long long frame);

}  // namespace cartwright::grid
