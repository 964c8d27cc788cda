// SPDX-License-Identifier: Apache-2.0
// What schemes of second order for waves and flows share.
#pragma once

#include <cartwright/cartwright.hpp>

namespace pde {

/// A stage of a Runge-Kutta scheme in the form of Shu and Osher (J. Comput. Phys. 77, 1988): the
/// new value is old * (value at the step's begin) + own * (this stage's value + dt * its rate of
/// change); the stage stands at the time begin + at * dt.
struct Stage {
  double old, own, at;
};
/// Heun's scheme, of second order; it has no extrema that explicit Euler steps hadn't.
inline constexpr Stage heun[] = {{0.0, 1.0, 0.0}, {0.5, 0.5, 1.0}};

/// The monotonised central slope (van Leer, J. Comput. Phys. 23, 1977) from the differences to both
/// neighbours: 0 at extrema. `central`: how much a smooth function changes across the cell. Of
/// numbers, or of packs of them.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number limited_slope(const Number& below, const Number& above,
                                                 const Number& central) {
  const Number nearest = cartwright::choose(below * below < above * above, below, above);
  const Number least = 2.0 * nearest;
  const Number slope = cartwright::choose(central * central < least * least, central, least);
  return cartwright::choose(below * above <= 0.0, Number(0.0), slope);
}

template <class Number>
KOKKOS_FORCEINLINE_FUNCTION Number limited_slope(const Number& below, const Number& above) {
  return limited_slope<Number>(below, above, 0.5 * (below + above));
}

/// The same in cell i; of stretched cells the parabola through the three values gives `central`.
template <class Number, class Point, int D>
KOKKOS_FORCEINLINE_FUNCTION Number limited_slope(const Number& below, const Number& above,
                                                 const Point& /*i*/, int /*axis*/,
                                                 const cartwright::grid::EqualCells<D>& /*cells*/) {
  return limited_slope<Number>(below, above);
}
template <class Number, class Point, int D>
KOKKOS_FORCEINLINE_FUNCTION Number limited_slope(const Number& below, const Number& above,
                                                 const Point& i, int axis,
                                                 const cartwright::grid::StretchedCells<D>& cells) {
  const auto up = cells.above(i, axis), down = cells.below(i, axis);
  return limited_slope<Number>(
      below, above, (up * up * above + down * down * below) / ((up + down) * cells.own(i, axis)));
}

}  // namespace pde
