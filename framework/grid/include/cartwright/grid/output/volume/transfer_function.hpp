// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/output/picture.hpp>
#include <cartwright/grid/output/volume/pixel.hpp>
#include <cartwright/grid/run/volume_options.hpp>
#include <vector>

namespace cartwright::grid {

/// Colour and opacity of values, as a deck says.
class TransferFunction {
 public:
  /// Entries of the table: more than a picture shows shades.
  static constexpr int entries = 2048;

  /// `range`: values at the ends, rising. `reference`: the length of which the deck gives the
  /// opacity.
  TransferFunction(const VolumeOptions& options, ValueRange range, double reference);

  [[nodiscard]] ValueRange range() const noexcept { return range_; }
  /// Red, green and blue, 0 … 1.
  [[nodiscard]] std::array<double, 3> colour(double value) const;
  /// Of `length`, 0 … 1.
  [[nodiscard]] double opacity(double value, double length) const;
  /// What one sample adds, for values evenly from end to end of the range.
  [[nodiscard]] std::vector<VolumePixel> table(double length) const;
  /// The same, opaque.
  [[nodiscard]] std::vector<VolumePixel> opaque_table() const;

 private:
  [[nodiscard]] double place(double value) const;
  [[nodiscard]] double value_of(int entry) const;

  ValueRange range_;
  double reference_;
  const VolumeOptions& options_;
};

}  // namespace cartwright::grid
