// SPDX-License-Identifier: Apache-2.0
// What schemes of second order for waves and flows share.
#pragma once

#include <Kokkos_Core.hpp>

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
/// neighbours: 0 at extrema.
KOKKOS_INLINE_FUNCTION double limited_slope(double below, double above) {
  if (below * above <= 0.0) return 0.0;
  const double central = 0.5 * (below + above);
  const double least = 2.0 * (below * below < above * above ? below : above);
  return central * central < least * least ? central : least;
}

}  // namespace pde
