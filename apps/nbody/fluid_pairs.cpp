// SPDX-License-Identifier: Apache-2.0
#include "fluid_pairs.hpp"

#include <atomic>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "pair_blocks.hpp"
#include "pair_terms.hpp"

namespace nbody {

namespace grid = cartwright::grid;
namespace rt = cartwright::rt;
namespace stdx = std::experimental;

/// What the kernel needs besides positions.
struct FluidPairs::Units {
  PairPotential law;
  std::array<double, 3> length{};  // of periodic axes; else endless
  double in_force, in_energy;      // how many there are in 1 N, 1 J
  std::atomic<bool> are_apart{true};
};

namespace {

constexpr double most_units = 0x1p56;

/// Along three axes, potential and virial.
using Parts = std::array<Pack, 5>;

/// 4 e ((s/r)^12 - (s/r)^6) at half a diameter, and the force there.
double greatest_energy(const PairPotential& law) {
  return 4.0 * law.energy * (4096.0 - 64.0);
}
double greatest_force(const PairPotential& law) {
  return 24.0 * law.energy * (2.0 * 4096.0 - 64.0) / (0.5 * std::sqrt(law.diameter_squared));
}

template <bool with_energies>
Parts of_block(const std::array<Pack, 3>& target, const Bodies& sources, std::size_t begin,
               std::size_t end, const PairPotential& law, const std::array<double, 3>& length) {
  Parts parts{};
  for (std::size_t j = begin; j < end; ++j) {
    std::array<Pack, 3> d;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Pack straight = target[axis] - sources.x[axis][j];
      d[axis] = straight - length[axis] * stdx::nearbyint(straight / length[axis]);
    }
    const Pack square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const auto counts = square < law.cutoff_squared && square > 0.0;  // not itself
    if (stdx::none_of(counts)) continue;
    const PairTerms terms = terms_of<with_energies>(law, square, counts);
    for (std::size_t axis = 0; axis < 3; ++axis) parts[axis] += terms.pull * d[axis];
    if constexpr (with_energies) {
      parts[3] += terms.potential;
      parts[4] += terms.virial;
    }
  }
  return parts;
}

/// False where one is too large to be counted.
bool count(const Pack& part, double units, std::int64_t* sums, std::size_t lanes) {
  bool all = true;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double number = part[lane] * units;
    if (!(std::abs(number) < most_units)) {
      all = false;
      continue;
    }
    sums[lane] += static_cast<std::int64_t>(number);
  }
  return all;
}

std::array<double, 3> lengths_of(const grid::GridBase& box, const PairPotential& law) {
  std::array<double, 3> lengths{};
  for (int axis = 0; axis < 3; ++axis) {
    // So long that no image is nearer: nearbyint gives 0.
    lengths[static_cast<std::size_t>(axis)] =
        box.periodic(axis) ? box.length(axis) : std::numeric_limits<double>::max();
    const double half = 0.5 * box.length(axis);
    if (box.periodic(axis) && half * half < law.cutoff_squared)
      throw rt::input_error(
          "lennard_jones.cutoff: forces between all pairs look at the nearest image of a particle "
          "only, and the cutoff is longer than half of a periodic axis",
          "Write  forces: cells, or take a shorter cutoff or a longer grid.", rt::Reach::all_ranks);
  }
  return lengths;
}

}  // namespace

FluidPairs::FluidPairs(grid::Particles& particles, Way way, const PairPotential& law)
    : particles_(particles),
      units_(new Units{law, lengths_of(particles.grid(), law), most_units / greatest_force(law),
                       most_units / greatest_energy(law)}),
      sums_(particles, way,
            {[units = units_](const Bodies& targets, const Bodies& sources, bool with_energies,
                              Sums& sums) {
               if (with_energies)
                 add_all<true>(targets, sources, *units, sums);
               else
                 add_all<false>(targets, sources, *units, sums);
             },
             5},
            {}) {}

template <bool with_energies>
void FluidPairs::add_all(const Bodies& targets, const Bodies& sources, Units& units, Sums& sums) {
  add_by_blocks(
      "lennard_jones of all pairs", targets, sources.size(),
      [&](const std::array<Pack, 3>& target, std::size_t begin, std::size_t end) {
        return of_block<with_energies>(target, sources, begin, end, units.law, units.length);
      },
      [&](const Parts& parts, std::size_t first, std::size_t lanes) {
        for (std::size_t k = 0; k < (with_energies ? 5 : 3); ++k)
          if (!count(parts[k], k < 3 ? units.in_force : units.in_energy, sums.of[k].data() + first,
                     lanes))
            units.are_apart = false;
      });
}

bool FluidPairs::find(bool with_energies, FluidForces& forces) {
  units_->are_apart = true;
  sums_.compute(with_energies);
  const std::size_t owned = particles_.size();
  const auto read = [&](std::size_t k, double units, std::vector<double>& to) {
    to.resize(owned);
    for (std::size_t i = 0; i < owned; ++i) to[i] = static_cast<double>(sums_.sum(k, i)) / units;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) read(axis, units_->in_force, forces.force[axis]);
  if (with_energies) {
    read(3, units_->in_energy, forces.potential);
    read(4, units_->in_energy, forces.virial);
  }
  return units_->are_apart;
}

}  // namespace nbody
