// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/volume/transfer_function.hpp>

#include <algorithm>
#include <cartwright/grid/output/colour_map.hpp>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace cartwright::grid {
namespace {

using Colour = std::array<double, 3>;

/// Column `c` of points of rising value; beyond the ends that of the end.
template <std::size_t N>
double between(const std::vector<std::array<double, N>>& points, double value, std::size_t c) {
  if (value <= points.front()[0]) return points.front()[c];
  for (std::size_t i = 1; i < points.size(); ++i)
    if (value <= points[i][0]) {
      const double part = (value - points[i - 1][0]) / (points[i][0] - points[i - 1][0]);
      return (1 - part) * points[i - 1][c] + part * points[i][c];
    }
  return points.back()[c];
}

/// Opacity of the reference length by the place in the range.
double shape(OpacityShape kind, double place) {
  switch (kind) {
    case OpacityShape::ramp:
      return 0.85 * place * place;
    case OpacityShape::falling:
      return 0.85 * (1 - place) * (1 - place);
    case OpacityShape::ends: {
      const double aside = std::abs(2 * place - 1);
      return 0.9 * aside * aside * aside;
    }
    case OpacityShape::shells: {
      constexpr double surfaces = 6, sharpness = 0.05;
      const double to_next = std::abs(surfaces * place - std::floor(surfaces * place) - 0.5);
      return 0.995 * std::max(0.0, 1 - to_next / (surfaces * sharpness)) * (0.25 + 0.75 * place);
    }
  }
  return 0;
}

}  // namespace

TransferFunction::TransferFunction(const VolumeOptions& options, ValueRange range, double reference)
    : range_(range), reference_(reference), options_(options) {}

double TransferFunction::place(double value) const {
  // Halves, because the difference of two large numbers may be none.
  return std::clamp((0.5 * value - 0.5 * range_.lower) / (0.5 * range_.upper - 0.5 * range_.lower),
                    0.0, 1.0);
}

Colour TransferFunction::colour(double value) const {
  if (options_.palette.empty()) return named_colour(options_.colours, place(value));
  return {between(options_.palette, value, 1), between(options_.palette, value, 2),
          between(options_.palette, value, 3)};
}

double TransferFunction::opacity(double value, double length) const {
  const double of_reference = options_.opacity.empty() ? shape(options_.transfer, place(value))
                                                       : between(options_.opacity, value, 1);
  // What is seen through one piece after the other is multiplied.
  return 1 - std::pow(1 - of_reference, options_.density * length / reference_);
}

double TransferFunction::value_of(int entry) const {
  const double part = static_cast<double>(entry) / (entries - 1);
  return (1 - part) * range_.lower + part * range_.upper;
}

std::vector<VolumePixel> TransferFunction::table(double length) const {
  std::vector<VolumePixel> pixels = opaque_table();
  for (int i = 0; i < entries; ++i) {
    VolumePixel& pixel = pixels[static_cast<std::size_t>(i)];
    const auto opaque = static_cast<float>(opacity(value_of(i), length));
    pixel = {pixel.red * opaque, pixel.green * opaque, pixel.blue * opaque, opaque};
  }
  return pixels;
}

std::vector<VolumePixel> TransferFunction::opaque_table() const {
  std::vector<VolumePixel> pixels;
  pixels.reserve(entries);
  for (int i = 0; i < entries; ++i) {
    const Colour light = colour(value_of(i));
    pixels.push_back({static_cast<float>(light[0]), static_cast<float>(light[1]),
                      static_cast<float>(light[2]), 1});
  }
  return pixels;
}

}  // namespace cartwright::grid
