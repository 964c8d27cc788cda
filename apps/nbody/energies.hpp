// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/cartwright.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <functional>

namespace nbody {

/// What should stay the same, and what goes with it. Sums over all bodies with the same bits on
/// any number of ranks.
struct Conserved {
  double kinetic = 0.0, potential = 0.0;  ///< J
  std::array<double, 3> momentum{};       ///< kg m/s
  std::array<double, 3> angular{};        ///< of momentum, about the origin, kg m2/s
  double virial = 0.0;                    ///< sum of distance times force, J
  [[nodiscard]] double total() const { return kinetic + potential; }
};

/// What one body adds besides its motion.
struct Bound {
  double potential = 0.0;  ///< J, its half of each pair's
  double virial = 0.0;     ///< J, likewise
};

/// Collective. `mass` and `bound` of a body that this rank owns.
[[nodiscard]] Conserved conserved(cartwright::grid::Particles& bodies,
                                  const std::function<double(std::size_t)>& mass,
                                  const std::function<Bound(std::size_t)>& bound);

}  // namespace nbody
