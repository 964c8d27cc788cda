// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

namespace cartwright::grid {

/// Where the points of a field live along the axes: at the middle of cells, or at their corners.
enum class Centring { cell, node };

/// This rank's part of a field's points; axes beyond `dimensions` have extent 1. x comes first.
struct Block {
  int dimensions = 1;
  std::array<long long, 3> global{1, 1, 1};  ///< points of the whole field
  std::array<long long, 3> start{0, 0, 0};   ///< this rank's first point, in global coordinates
  std::array<long long, 3> count{1, 1, 1};   ///< this rank's points
  [[nodiscard]] constexpr long long points() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] constexpr long long global_points() const {
    return global[0] * global[1] * global[2];
  }
};

/// The first of `extent` points that part `index` of `parts` owns: parts differ by one point at the
/// most, and larger parts come first. `index == parts` gives the end.
[[nodiscard]] constexpr long long part_begin(long long extent, int parts, int index) {
  const long long base = extent / parts;
  const long long larger = extent % parts;
  return index * base + (index < larger ? index : larger);
}

}  // namespace cartwright::grid
