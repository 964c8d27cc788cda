// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

namespace cartwright::grid {

/// Where the points of a field live: at the middle of cells, at their corners, or at the middle of
/// their faces across one axis (staggered grids: what flows through them). Point i of a nodal axis
/// is at the low end of cell i; a bounded one has a closing point behind its last cell.
enum class Centring { cell, node, face_x, face_y, face_z };

/// True if points live at the ends of cells along `axis`, not in their middle.
[[nodiscard]] constexpr bool is_nodal(Centring centring, int axis) {
  return centring == Centring::node ||
         static_cast<int>(centring) == static_cast<int>(Centring::face_x) + axis;
}
/// Of a point within its cell, in spacings.
[[nodiscard]] constexpr double offset_in_cell(Centring centring, int axis) {
  return is_nodal(centring, axis) ? 0.0 : 0.5;
}
/// On the faces across `axis`.
[[nodiscard]] constexpr Centring on_faces(int axis) {
  return static_cast<Centring>(static_cast<int>(Centring::face_x) + axis);
}

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

/// What one part owns: `begin` up to, not including, `end`.
struct PartRange {
  long long begin, end;
  [[nodiscard]] constexpr long long size() const { return end - begin; }
};

[[nodiscard]] constexpr PartRange part_range(long long extent, int parts, int index) {
  return {part_begin(extent, parts, index), part_begin(extent, parts, index + 1)};
}

}  // namespace cartwright::grid
