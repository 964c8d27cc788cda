// SPDX-License-Identifier: Apache-2.0
#include "gravity_kernel.hpp"

#include <cmath>

#include "pair_blocks.hpp"

namespace nbody {
namespace {

/// What one block does to the targets in the lanes: accelerations and potential over G.
using Parts = std::array<Pack, 4>;

template <bool with_potential>
Parts of_block(const std::array<Pack, 3>& target, const Bodies& sources, std::size_t begin,
               std::size_t end, Pack softening_squared) {
  Parts parts{};
  for (std::size_t j = begin; j < end; ++j) {
    const Pack dx = sources.x[0][j] - target[0];
    const Pack dy = sources.x[1][j] - target[1];
    const Pack dz = sources.x[2][j] - target[2];
    const Pack square = (dx * dx + dy * dy) + (dz * dz + softening_squared);
    const Pack distance = sqrt(square);
    const Pack weight = sources.mass[j] / (square * distance);
    parts[0] += weight * dx;
    parts[1] += weight * dy;
    parts[2] += weight * dz;
    if constexpr (with_potential) {
      Pack potential = sources.mass[j] / distance;
      where(square == softening_squared, potential) = 0.0;  // itself
      parts[3] -= potential;
    }
  }
  return parts;
}

void count(const Pack& part, double units, std::int64_t* sums, std::size_t lanes) {
  for (std::size_t lane = 0; lane < lanes; ++lane)
    sums[lane] += static_cast<std::int64_t>(part[lane] * units);
}

template <bool with_potential>
void add_all(const Bodies& targets, const Bodies& sources, const Softened& law, Sums& sums) {
  add_by_blocks(
      "gravity", targets, sources.size(),
      [&](const std::array<Pack, 3>& target, std::size_t begin, std::size_t end) {
        return of_block<with_potential>(target, sources, begin, end, law.softening_squared);
      },
      [&](const Parts& parts, std::size_t first, std::size_t lanes) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          count(parts[axis], law.units, sums.of[axis].data() + first, lanes);
        if constexpr (with_potential)
          count(parts[3], law.potential_units, sums.of[3].data() + first, lanes);
      });
}

}  // namespace

void Bodies::resize(std::size_t bodies) {
  for (auto& along : x) along.resize(bodies);
  mass.resize(bodies);
}

void Sums::clear(std::size_t bodies) {
  for (auto& each : of) each.assign(bodies, 0);
}

Softened::Softened(double constant, double softening, double mass_of_all)
    : softening_squared(softening * softening) {
  const double greatest = 0x1p61;
  const double mass = mass_of_all > 0.0 ? mass_of_all : 1.0;
  units = greatest * 1.5 * std::sqrt(3.0) * softening_squared / mass;
  potential_units = greatest * softening / mass;
  acceleration = constant / units;
  potential = constant / potential_units;
}

void add_gravity(const Bodies& targets, const Bodies& sources, const Softened& law,
                 bool with_potential, Sums& sums) {
  if (with_potential)
    add_all<true>(targets, sources, law, sums);
  else
    add_all<false>(targets, sources, law, sums);
}

}  // namespace nbody
