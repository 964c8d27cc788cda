// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cartwright/grid/space/vector.hpp>

namespace cartwright::grid {

/// From local points to global numbers and positions; trivially copyable, for kernels. Positions
/// are computed from global numbers alone, so they have the same bits on any number of ranks.
template <int D>
struct Coordinates {
  long long start[D];  ///< global number of the local point 0
  double origin[D];
  double spacing[D];
  double shift[D];          ///< of a point within its cell: 0.5 in the middle, 0 at the low end
  const double* places[D];  ///< by global number, where kernels run; nullptr: all cells are equal

  [[nodiscard]] KOKKOS_INLINE_FUNCTION long long global(const Index<D>& i, int axis) const {
    return start[axis] + i[axis];
  }
  /// In the deck's unit of length.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Vector<double, D> operator()(const Index<D>& i) const {
    Vector<double, D> position{};
    for (int axis = 0; axis < D; ++axis)
      position[axis] =
          places[axis] != nullptr
              ? places[axis][global(i, axis)]
              : origin[axis] + (static_cast<double>(global(i, axis)) + shift[axis]) * spacing[axis];
    return position;
  }
};

}  // namespace cartwright::grid
