// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/both_sides.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <concepts>

namespace cartwright::grid {

/// A point of a field, in local coordinates: 0 is this rank's first owned point along an axis,
/// ghosts lie below 0 and from the owned extent on. Axis 0 is x, the unit-stride axis.
template <int D>
struct Index {
  static_assert(D >= 1 && D <= 3, "cartwright: grids have 1, 2 or 3 dimensions");
  int along[D];

  CARTWRIGHT_BOTH_SIDES constexpr int operator[](int axis) const { return along[axis]; }
  CARTWRIGHT_BOTH_SIDES constexpr int& operator[](int axis) { return along[axis]; }

  /// The point `distance` points further along `axis`.
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES constexpr Index shifted(int axis, int distance) const {
    // No number is chosen by a variable: a loop over axes that a compiler leaves as one would keep
    // points in memory, and read as a whole what was written in parts (a step of advection in 2-D
    // took 6 times as long).
    Index result{};
    for (int each = 0; each < D; ++each)
      result.along[each] = along[each] + (each == axis ? distance : 0);
    return result;
  }

  friend constexpr bool operator==(const Index&, const Index&) = default;
#ifndef __CUDACC__  // nvcc 13 stops at such friends
  template <std::integral Number>
  friend Index operator+(Index, Number) noexcept(refused::NumberAddedToIndex<Number>::value);
  template <std::integral Number>
  friend Index operator-(Index, Number) noexcept(refused::NumberAddedToIndex<Number>::value);
#endif
};

}  // namespace cartwright::grid
