// SPDX-License-Identifier: Apache-2.0
// What differences need to know of cells that are not all equal.
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/space/index.hpp>

namespace cartwright::grid {

/// All cells have the same width along each axis: views know it.
template <int D>
struct EqualCells {};

/// What a table by coordinates along `axis` has for a point; for a pack of points there are others.
template <int D>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double entry_at(const double* table, const Index<D>& i,
                                                          int axis) {
  return table[i[axis]];
}

/// Cells are stretched along one axis or more: for points of one centring, by local coordinates,
/// ghosts too. Trivially copyable, for kernels.
template <int D>
struct StretchedCells {
  const double* inverse_width[D];  ///< 1 / what of the axis is nearest to the point
  const double* inverse_step[D];   ///< 1 / distance from the point below
  bool is_nodal[D];                ///< points are at the ends of cells

  /// 1 / width of the cell around point `i` along `axis`; for packs of points, packs.
  template <class Point>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto own(const Point& i, int axis) const {
    return entry_at(inverse_width[axis], i, axis);
  }
  /// 1 / distance between point `i` and the one below, and above, it.
  template <class Point>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto below(const Point& i, int axis) const {
    return entry_at(inverse_step[axis], i, axis);
  }
  template <class Point>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto above(const Point& i, int axis) const {
    return entry_at(inverse_step[axis] + 1, i, axis);
  }
  /// What the value below point `i` counts half-way between the two in terms of cells: at the end
  /// of a cell, between their middles; in its middle, between its ends.
  template <class Point>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto share_below(const Point& i, int axis) const {
    const auto width = own(i, axis), step = below(i, axis);
    const decltype(step) half = 0.5;
    return is_nodal[axis] ? half : half * step / width;
  }
};

/// Of a staggered field: by axis those of its components, and those in the middle of cells.
/// Trivially copyable, for kernels.
template <int D>
struct EqualStaggeredCells {
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION EqualCells<D> operator[](int /*axis*/) const {
    return {};
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION EqualCells<D> middle() const { return {}; }
};
template <int D>
struct StretchedStaggeredCells {
  StretchedCells<D> faces[D];
  StretchedCells<D> middles;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const StretchedCells<D>& operator[](int axis) const {
    return faces[axis];
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const StretchedCells<D>& middle() const {
    return middles;
  }
};

}  // namespace cartwright::grid
