// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>

namespace cartwright::grid {

/// A point of a field, in local coordinates: 0 is this rank's first owned point along an axis,
/// ghosts lie below 0 and from the owned extent on. Axis 0 is x, the unit-stride axis.
template <int D>
struct Index {
  static_assert(D >= 1 && D <= 3);
  int along[D];

  KOKKOS_INLINE_FUNCTION constexpr int operator[](int axis) const { return along[axis]; }
  KOKKOS_INLINE_FUNCTION constexpr int& operator[](int axis) { return along[axis]; }

  /// The point `distance` points further along `axis`.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr Index shifted(int axis, int distance) const {
    Index result = *this;
    result.along[axis] += distance;
    return result;
  }

  friend constexpr bool operator==(const Index&, const Index&) = default;
};

}  // namespace cartwright::grid
