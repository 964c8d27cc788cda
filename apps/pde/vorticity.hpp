// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>
#include <cmath>

namespace pde {

/// In two dimensions the vorticity across the plane, in three its magnitude. `change(b, a)`: how
/// fast the velocity along axis b changes along axis a.
template <int D, class Change>
KOKKOS_INLINE_FUNCTION double vorticity_of(const Change& change) {
  double square = 0.0, last = 0.0;
  for (int a = 0; a < D; ++a)
    for (int b = a + 1; b < D; ++b) {
      last = change(b, a) - change(a, b);
      square += last * last;
    }
  return D == 2 ? last : std::sqrt(square);
}

}  // namespace pde
