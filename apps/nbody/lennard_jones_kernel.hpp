// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/particles/cell_list.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <vector>

namespace nbody {

/// 4 e ((s/r)^12 - (s/r)^6), cut off at a distance, and lifted to 0 there.
struct PairPotential {
  PairPotential(double well_depth, double diameter, double cutoff_in_diameters,
                bool is_lifted = true);
  double energy, diameter_squared, cutoff_squared;
  double lift;  ///< J, what is added inside of the cutoff
};

/// What others do to the particles of this rank.
struct FluidForces {
  std::array<std::vector<double>, 3> force;  ///< N
  std::vector<double> potential, virial;     ///< J, half of each pair's; if asked for
};

/// Sorted by `cells` after Particles::ghosts(cells.radius()). Each particle's neighbours are added
/// one after the other, bin by bin, in the order of their identities: the same bits on any number
/// of ranks, threads and lanes. Returns false where two particles are at the same place.
[[nodiscard]] bool find_forces(const cartwright::grid::Particles& particles,
                               const cartwright::grid::CellList& cells, const PairPotential& law,
                               bool with_energies, FluidForces& forces);

}  // namespace nbody
