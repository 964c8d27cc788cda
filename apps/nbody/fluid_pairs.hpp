// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/particles/particles.hpp>
#include <memory>

#include "lennard_jones_kernel.hpp"
#include "pair_forces.hpp"

namespace nbody {

/// A fluid's forces found by looking at all pairs, each at the nearest image of the other one:
/// what a list of cells finds, but for rounding, in a time that grows as the square. Sums are whole
/// numbers of a unit that is 2^-56 of the force between two particles half a diameter apart; closer
/// than that nobody comes, unless the time step is too long.
class FluidPairs {
 public:
  /// Collective. `particles` are spread by identity, and outlive this. Throws an input error (all
  /// ranks) where the cutoff is longer than half of a periodic axis.
  FluidPairs(cartwright::grid::Particles& particles, Way way, const PairPotential& law);
  /// Collective. As find_forces does; false where two are closer than half a diameter.
  [[nodiscard]] bool find(bool with_energies, FluidForces& forces);

 private:
  struct Units;
  template <bool with_energies>
  static void add_all(const Bodies& targets, const Bodies& sources, Units& units, Sums& sums);
  cartwright::grid::Particles& particles_;
  std::shared_ptr<Units> units_;
  PairSums sums_;
};

}  // namespace nbody
