// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nbody {

/// Positions, axis by axis, and masses: arrays of one length.
struct Bodies {
  std::array<std::vector<double>, 3> x;
  std::vector<double> mass;  ///< of sources
  [[nodiscard]] std::size_t size() const { return x[0].size(); }
  void resize(std::size_t bodies);
};

/// Plummer's softening and what sums are counted in.
///
/// A body's acceleration is a sum over blocks of 32 others, by identity: within a block in their
/// order, over blocks as integers, whose sum doesn't depend on the order in which ranks and
/// algorithms come to them. With a softening no acceleration can be larger than G M 2 / (3 sqrt(3)
/// softening²), M the mass of all: that bound is 2^61 units, so nothing overflows, and a unit is
/// 4e-19 of it. Fixed-point sums for the same reason: Shaw et al., Anton, Communications of the ACM
/// 51 (2008).
struct Softened {
  Softened(double constant, double softening, double mass_of_all);
  double softening_squared;
  double units;            ///< in 1 m/s2 / G
  double potential_units;  ///< in 1 m2/s2 / G
  double acceleration;     ///< of one unit
  double potential;        ///< of one unit
};

/// Along three axes, and what else is asked for: potentials, virials.
struct Sums {
  std::array<std::vector<std::int64_t>, 5> of;
  void clear(std::size_t bodies);
};

/// Bodies of a block whose contributions have one order.
constexpr std::size_t block_of_sources = 32;

/// Adds what `sources`, which begin with a block, do to `targets` [0, size). Nothing does anything
/// to what is at the same place, such as a body to itself. On all threads of the host. The same
/// bits whatever the processor: lanes hold targets.
void add_gravity(const Bodies& targets, const Bodies& sources, const Softened& law,
                 bool with_potential, Sums& sums);

}  // namespace nbody
