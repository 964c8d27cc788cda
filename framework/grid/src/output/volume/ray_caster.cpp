// SPDX-License-Identifier: Apache-2.0
#include "ray_caster.hpp"

#include <cmath>

namespace cartwright::grid {
namespace {

template <class T>
KOKKOS_INLINE_FUNCTION T larger(T a, T b) {
  return a < b ? b : a;
}
template <class T>
KOKKOS_INLINE_FUNCTION T smaller(T a, T b) {
  return b < a ? b : a;
}

/// A ray in cells: sample k is at a + t(k) b along each axis. Rounding keeps it monotonic in k: so
/// the samples in a block are one range of k, found exactly, and every sample has one owner.
struct CellRay {
  double a[3], b[3];
  double step;

  KOKKOS_INLINE_FUNCTION CellRay(const Ray& ray, const VolumeBlock& block, double step_)
      : step(step_) {
    for (int axis = 0; axis < 3; ++axis) {
      a[axis] = (ray.at[axis] - block.origin[axis]) * block.inverse_width[axis];
      b[axis] = ray.toward[axis] * block.inverse_width[axis];
    }
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double t(long long k) const {
    return (static_cast<double>(k) + 0.5) * step;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double at(int axis, long long k) const {
    return a[axis] + t(k) * b[axis];
  }
  /// The first k from `first` on for which `sign` at(k) >= `sign` bound, or, if `beyond`, > ; `end`
  /// if there is none before. at rises with `sign`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION long long first_past(int axis, double bound, double sign,
                                                            bool beyond, long long first,
                                                            long long end) const {
    const auto is_past = [&](long long k) {
      const double distance = sign * at(axis, k), limit = sign * bound;
      return beyond ? distance > limit : distance >= limit;
    };
    const double guess = (bound - a[axis]) / (b[axis] * step) - 0.5;
    long long k = first;
    if (guess >= static_cast<double>(end))
      k = end;
    else if (guess > static_cast<double>(first))
      k = static_cast<long long>(guess);
    while (k > first && is_past(k - 1)) --k;
    while (k < end && !is_past(k)) ++k;
    return k;
  }
};

struct SampleRange {
  long long first, end;
};

/// The samples of a ray that lie in cells of the block.
KOKKOS_INLINE_FUNCTION SampleRange samples_within(const CellRay& ray, const VolumeBlock& block,
                                                  const Camera& camera) {
  SampleRange range{camera.first_sample, camera.end_sample};
  for (int axis = 0; axis < 3; ++axis) {
    const auto low = static_cast<double>(block.start[axis]);
    const auto high = static_cast<double>(block.start[axis] + block.count[axis]);
    if (ray.b[axis] > 0) {
      range.first = ray.first_past(axis, low, 1, false, range.first, range.end);
      range.end = ray.first_past(axis, high, 1, false, range.first, range.end);
    } else if (ray.b[axis] < 0) {
      range.first = ray.first_past(axis, high, -1, true, range.first, range.end);
      range.end = ray.first_past(axis, low, -1, true, range.first, range.end);
    } else if (!(ray.a[axis] >= low && ray.a[axis] < high)) {
      range.end = range.first;
    }
  }
  return range;
}

/// Values between points, linear along each axis; from global places, so that neighbours compute
/// the same bits.
struct Interpolation {
  const float* origin;
  std::ptrdiff_t row, plane;
  long long start[3];

  KOKKOS_INLINE_FUNCTION explicit Interpolation(const VolumeBlock& block)
      : origin(block.values.origin()), row(block.values.stride(1)), plane(block.values.stride(2)) {
    for (int axis = 0; axis < 3; ++axis) start[axis] = block.start[axis];
  }
  /// `u`: in points from the whole field's first one on, -1 or more.
  KOKKOS_INLINE_FUNCTION float operator()(const double (&u)[3]) const {
    float part[3];
    long long below[3];
    for (int axis = 0; axis < 3; ++axis) {
      long long number = static_cast<long long>(u[axis] + 1) - 1;
      number -= u[axis] < static_cast<double>(number) ? 1 : 0;
      part[axis] = static_cast<float>(u[axis] - static_cast<double>(number));
      below[axis] = number - start[axis];
    }
    const float* const p = origin + below[0] + below[1] * row + below[2] * plane;
    const auto along_x = [&](const float* at) { return at[0] + part[0] * (at[1] - at[0]); };
    const float v00 = along_x(p), v10 = along_x(p + row);
    const float v01 = along_x(p + plane), v11 = along_x(p + plane + row);
    const float v0 = v00 + part[1] * (v10 - v00);
    const float v1 = v01 + part[1] * (v11 - v01);
    return v0 + part[2] * (v1 - v0);
  }
};

KOKKOS_INLINE_FUNCTION bool is_number(float value) {
  return value - value == 0;  // false for infinities, too
}

/// What is fainter than this, of one sample, is lit from everywhere.
constexpr float haze = 1e-3F;

/// How bright a surface of equal value is, lit from the camera; 1 where there is none.
KOKKOS_INLINE_FUNCTION float brightness(const Interpolation& value, const double (&u)[3],
                                        const Ray& ray, const VolumeBlock& block, float steepness) {
  float square = 0, along = 0, greatest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double ahead[3] = {u[0], u[1], u[2]}, back[3] = {u[0], u[1], u[2]};
    ahead[axis] += 0.5;
    back[axis] -= 0.5;
    const float slope = (value(ahead) - value(back)) * block.relative_slope[axis];
    square += slope * slope;
    along += slope * static_cast<float>(ray.toward[axis]);
    greatest = larger(greatest, slope < 0 ? -slope : slope);
  }
  if (!(square > 0) || !is_number(square)) return 1;
  const float inverse = 1 / std::sqrt(square);
  const float facing = (along < 0 ? -along : along) * inverse;
  const float shade = 0.35F + 0.75F * facing;
  const float weight = smaller(1.0F, greatest * steepness);
  return 1 + weight * (shade - 1);
}

template <bool light>
KOKKOS_INLINE_FUNCTION VolumePixel light_along(const VolumeBlock& block, const Camera& camera,
                                               const Shading& shading, int column, int row,
                                               std::int64_t& samples) {
  const Ray ray = camera.ray(column, row);
  const CellRay cells(ray, block, camera.step);
  const SampleRange range = samples_within(cells, block, camera);
  const Interpolation value(block);
  const auto last = static_cast<float>(shading.entries - 1);
  VolumePixel sum;
  long long k = range.first;
  for (; k < range.end; ++k) {
    const double t = cells.t(k);
    double u[3];
    for (int axis = 0; axis < 3; ++axis)
      u[axis] = cells.a[axis] + t * cells.b[axis] - block.shift[axis];
    const float found = value(u);
    if (!is_number(found)) continue;
    const float place = smaller(larger((found - shading.lower) * shading.scale, 0.0F), last);
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): never below 0, and lround is a call
    const VolumePixel adds = shading.table[static_cast<int>(place + 0.5F)];
    if (!(adds.opacity > 0)) continue;
    const float seen = 1 - sum.opacity;
    float lit = seen;
    if (light && adds.opacity > haze) lit *= brightness(value, u, ray, block, shading.steepness);
    sum.red += lit * adds.red;
    sum.green += lit * adds.green;
    sum.blue += lit * adds.blue;
    sum.opacity += seen * adds.opacity;
    if (sum.opacity >= shading.opaque) {
      ++k;
      break;
    }
  }
  samples += k - range.first;
  return sum;
}

KOKKOS_INLINE_FUNCTION float largest_along(const VolumeBlock& block, const Camera& camera,
                                           int column, int row, std::int64_t& samples) {
  const CellRay cells(camera.ray(column, row), block, camera.step);
  const SampleRange range = samples_within(cells, block, camera);
  const Interpolation value(block);
  float largest = -HUGE_VALF;
  for (long long k = range.first; k < range.end; ++k) {
    const double t = cells.t(k);
    double u[3];
    for (int axis = 0; axis < 3; ++axis)
      u[axis] = cells.a[axis] + t * cells.b[axis] - block.shift[axis];
    const float found = value(u);
    if (is_number(found)) largest = larger(largest, found);
  }
  samples += range.end - range.first;
  return largest;
}

/// `pixel(column, row, samples)` for each pixel of `part`, into the memory of `box`. Rows are
/// handed out as threads ask for them: rays are of very different length.
template <class Result, class Pixel>
std::int64_t cast_rows(const char* label, const PixelBox& box, const PixelBox& part,
                       Result* results, const Pixel& pixel) {
  if (part.width() <= 0 || part.height() <= 0) return 0;
  constexpr int tile = 64;
  const int tiles = (part.width() + tile - 1) / tile;
  std::int64_t samples = 0;
  Kokkos::parallel_reduce(
      label,
      Kokkos::RangePolicy<Execution, Kokkos::Schedule<Kokkos::Dynamic>,
                          Kokkos::IndexType<std::int64_t>>(
          0, static_cast<std::int64_t>(tiles) * part.height()),
      KOKKOS_LAMBDA(std::int64_t number, std::int64_t & sum) {
        const int row = part.top + static_cast<int>(number / tiles);
        const int begin = part.left + static_cast<int>(number % tiles) * tile;
        const int end = smaller(begin + tile, part.right);
        Result* const target =
            results + static_cast<std::ptrdiff_t>(row - box.top) * box.width() - box.left;
        for (int column = begin; column < end; ++column) target[column] = pixel(column, row, sum);
      },
      samples);
  return samples;
}

}  // namespace

std::int64_t cast_over(const VolumeBlock& block, const Camera& camera, const Shading& shading,
                       const PixelBox& box, const PixelBox& part, VolumePixel* pixels) {
  if (shading.light)
    return cast_rows(
        "cast rays, lit", box, part, pixels,
        KOKKOS_LAMBDA(int column, int row, std::int64_t& samples) {
          return light_along<true>(block, camera, shading, column, row, samples);
        });
  return cast_rows(
      "cast rays", box, part, pixels, KOKKOS_LAMBDA(int column, int row, std::int64_t& samples) {
        return light_along<false>(block, camera, shading, column, row, samples);
      });
}

std::int64_t cast_maximum(const VolumeBlock& block, const Camera& camera, const PixelBox& box,
                          const PixelBox& part, float* values) {
  return cast_rows(
      "cast rays, maximum", box, part, values,
      KOKKOS_LAMBDA(int column, int row, std::int64_t& samples) {
        return largest_along(block, camera, column, row, samples);
      });
}

}  // namespace cartwright::grid
