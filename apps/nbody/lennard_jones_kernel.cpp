// SPDX-License-Identifier: Apache-2.0
#include "lennard_jones_kernel.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "pair_terms.hpp"

namespace nbody {
namespace {

namespace grid = cartwright::grid;
namespace stdx = std::experimental;

/// What is added up for the particles in the lanes.
struct Parts {
  std::array<Pack, 3> force{};
  Pack potential = 0.0, virial = 0.0, here = 0.0;
};

template <bool with_energies>
void add_piece(const std::array<Pack, 3>& target, const grid::CellList& cells,
               grid::CellList::Slots slots, const PairPotential& law, Parts& parts) {
  const double* const x = cells.along(0).data();
  const double* const y = cells.along(1).data();
  const double* const z = cells.along(2).data();
  for (std::size_t j = slots.begin; j < slots.end; ++j) {
    const Pack dx = target[0] - x[j];
    const Pack dy = target[1] - y[j];
    const Pack dz = target[2] - z[j];
    const Pack square = dx * dx + dy * dy + dz * dz;
    const auto is_near = square < law.cutoff_squared;
    if (stdx::none_of(is_near)) continue;
    const auto is_itself = square == 0.0;
    where(is_itself, parts.here) += 1.0;
    const PairTerms terms = terms_of<with_energies>(law, square, is_near && !is_itself);
    parts.force[0] += terms.pull * dx;
    parts.force[1] += terms.pull * dy;
    parts.force[2] += terms.pull * dz;
    if constexpr (with_energies) {
      parts.potential += terms.potential;
      parts.virial += terms.virial;
    }
  }
}

/// Slots of particles that are computed together; the first `count` are.
struct Lanes {
  std::array<std::size_t, Pack::size()> slot{};
  std::size_t count = 0;
};

/// False: one of them isn't alone at its place.
template <bool with_energies>
bool add_pack(const grid::CellList& cells, const Lanes& lanes, const grid::CellList::Around& around,
              const PairPotential& law, FluidForces& forces) {
  std::array<Pack, 3> target;
  for (int axis = 0; axis < 3; ++axis)
    target[static_cast<std::size_t>(axis)] = Pack([&](std::size_t lane) {
      return cells.along(axis)[lanes.slot[lane < lanes.count ? lane : 0]];
    });
  Parts parts;
  for (const auto& slots : around) add_piece<with_energies>(target, cells, slots, law, parts);
  bool are_alone = true;
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    const std::size_t particle = cells.particle(lanes.slot[lane]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      forces.force[axis][particle] = parts.force[axis][lane];
    if constexpr (with_energies) {
      forces.potential[particle] = parts.potential[lane];
      forces.virial[particle] = parts.virial[lane];
    }
    are_alone = are_alone && parts.here[lane] <= 1.0;
  }
  return are_alone;
}

/// The particles of one bin that this rank owns. False: some share a place.
template <bool with_energies>
bool add_bin(const grid::CellList& cells, std::size_t bin, std::size_t owned,
             const PairPotential& law, FluidForces& forces) {
  const auto [begin, end] = cells.in(bin);
  const grid::CellList::Around around = cells.around(bin);
  bool are_apart = true;
  Lanes lanes;
  for (std::size_t slot = begin; slot < end; ++slot) {
    if (cells.particle(slot) < owned) lanes.slot[lanes.count++] = slot;
    if (lanes.count == 0 || (lanes.count < Pack::size() && slot + 1 < end)) continue;
    are_apart = add_pack<with_energies>(cells, lanes, around, law, forces) && are_apart;
    lanes.count = 0;
  }
  return are_apart;
}

}  // namespace

PairPotential::PairPotential(double well_depth, double diameter, double cutoff_in_diameters,
                             bool is_lifted)
    : energy(well_depth),
      diameter_squared(diameter * diameter),
      cutoff_squared(cutoff_in_diameters * cutoff_in_diameters * diameter_squared) {
  const double sixth = std::pow(cutoff_in_diameters, -6.0);
  lift = is_lifted ? -4.0 * well_depth * (sixth * sixth - sixth) : 0.0;
}

bool find_forces(const grid::Particles& particles, const grid::CellList& cells,
                 const PairPotential& law, bool with_energies, FluidForces& forces) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const std::size_t owned = particles.size();
  for (auto& along : forces.force) along.assign(owned, 0.0);
  forces.potential.assign(owned, 0.0);
  forces.virial.assign(owned, 0.0);
  std::atomic<bool> are_apart = true;
  Kokkos::parallel_for("lennard_jones",
                       Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>,
                                           Kokkos::IndexType<std::ptrdiff_t>>(
                           0, static_cast<std::ptrdiff_t>(cells.bins())),
                       [&](std::ptrdiff_t number) {
                         const auto bin = static_cast<std::size_t>(number);
                         const bool good = with_energies
                                               ? add_bin<true>(cells, bin, owned, law, forces)
                                               : add_bin<false>(cells, bin, owned, law, forces);
                         if (!good) are_apart = false;
                       });
  Host().fence();
  return are_apart;
}

}  // namespace nbody
