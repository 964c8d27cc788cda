// SPDX-License-Identifier: Apache-2.0
// Where bodies begin, and how fast: by name, or from a file.
#pragma once

#include <cartwright/cartwright.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace nbody {

enum class Kind { plummer, random, lattice, two_bodies, file };

/// Of section `initial`; each solver has some of the kinds.
struct InitialBodies {
  Kind kind = Kind::plummer;
  long long seed = 1;
  double mass = 1.0;          ///< of all together
  double radius = 1.0;        ///< of a Plummer sphere; half the greatest distance of two bodies
  double mass_ratio = 1.0;    ///< of two bodies: the second one's to the first one's
  double eccentricity = 0.0;  ///< of two bodies
  double temperature = 1.0;   ///< random velocities
  std::vector<double> filled{1.0, 1.0, 1.0};  ///< part of the grid, from its lower corner
  std::string file;
  std::string prefix = "bodies";
};

[[nodiscard]] cartwright::Schema<InitialBodies> gravity_initial_schema();
[[nodiscard]] cartwright::Schema<InitialBodies> fluid_initial_schema();

/// Collective. Positions, velocities and masses. `constant` and `softening`: for bodies that are to
/// be in balance.
void set_bodies(cartwright::Run& run, cartwright::grid::Particles& bodies,
                const InitialBodies& initial, double constant, double softening);

/// Collective. A fluid's particles on the places of a face-centred cubic lattice that fills the
/// grid, or anywhere that is not too near to another one's place on it (random), with random
/// velocities of this temperature (kB = 1) and no momentum. Particles migrate to their owners.
void set_fluid(cartwright::Run& run, cartwright::grid::Particles& particles,
               const InitialBodies& initial, double mass);

/// Collective. Velocities become those of a temperature (kB = 1): all times one number.
void set_temperature(cartwright::grid::Particles& particles, double mass, double temperature);

}  // namespace nbody
