// SPDX-License-Identifier: Apache-2.0
#include "initial.hpp"

#include <algorithm>
#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/rt/deck.hpp>
#include <cmath>
#include <numbers>

namespace cw = cartwright;

namespace nbody {

namespace comm = cartwright::comm;
namespace grid = cartwright::grid;

namespace {

using Triple = std::array<double, 3>;
using Kinds = std::vector<std::pair<std::string, Kind>>;

/// Random numbers of one body: the same whoever asks.
class Dice {
 public:
  Dice(long long seed, long long identity)
      : seed_(static_cast<std::uint64_t>(seed)),
        next_(static_cast<std::uint64_t>(identity) << 20U) {}
  /// Even in [0, 1).
  double even() { return cw::random_number(seed_, next_++); }
  /// Of mean 0 and variance 1 (Box and Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - even()));
    return radius * std::cos(2.0 * std::numbers::pi * even());
  }
  /// On a sphere.
  Triple direction(double radius) {
    const double z = 2.0 * even() - 1.0, angle = 2.0 * std::numbers::pi * even();
    const double across = radius * std::sqrt(1.0 - z * z);
    return {across * std::cos(angle), across * std::sin(angle), radius * z};
  }

 private:
  std::uint64_t seed_, next_;
};

struct State {
  Triple position, velocity;
};

/// In balance without softening (Aarseth, Hénon and Wielen 1974). Far away ones are left out: less
/// than 1 in 1000.
State of_plummer_sphere(Dice dice, double constant, const InitialBodies& initial) {
  constexpr double farthest = 0.999;  // part of the mass
  const double scale = initial.radius;
  const double part = std::max(1e-10, farthest * dice.even());
  const double r = scale / std::sqrt(std::pow(part, -2.0 / 3.0) - 1.0);
  double q = 0.0;  // of the velocity of escape
  double chance = 0.0;
  do {
    q = dice.even();
    chance = 0.1 * dice.even();
  } while (chance > q * q * std::pow(1.0 - q * q, 3.5));
  const double escape = std::sqrt(2.0 * constant * initial.mass / std::sqrt(r * r + scale * scale));
  const Triple position = dice.direction(r);
  return {position, dice.direction(q * escape)};
}

/// About their centre of mass in the plane of x and y, at their greatest distance.
State of_two_bodies(long long identity, double constant, double softening,
                    const InitialBodies& initial) {
  const double distance = 2.0 * initial.radius, e = initial.eccentricity;
  const double square = distance * distance + softening * softening;
  const double circular =
      distance * std::sqrt(constant * initial.mass / (square * std::sqrt(square)));
  const double speed = circular * std::sqrt(1.0 - e);
  const double second = initial.mass_ratio / (1.0 + initial.mass_ratio);
  const double share = identity == 0 ? -second : 1.0 - second;
  return {{share * distance, 0.0, 0.0}, {0.0, share * speed, 0.0}};
}

State of_random(Dice dice, const grid::GridBase& frame) {
  State state{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    state.position[axis] =
        frame.origin(static_cast<int>(axis)) + frame.length(static_cast<int>(axis)) * dice.even();
  return state;
}

/// Takes the mean away.
void stop_drift(cw::Particles& particles, const std::function<double(std::size_t)>& mass) {
  auto& v = particles["velocity"];
  const auto velocity = v.view();
  cw::Vector<double, 4> sums{};  // momentum, and mass
  cw::reduce(
      particles,
      [=, &mass](std::ptrdiff_t p, cw::Vector<double, 4>& sum) {
        const double own = mass(static_cast<std::size_t>(p));
        sum[3] += own;
        for (int axis = 0; axis < 3; ++axis) sum[axis] += own * velocity(p, axis);
      },
      cw::Sum(sums));
  for (int axis = 0; axis < 3; ++axis)
    for (double& speed : v.along(axis)) speed -= sums[axis] / sums[3];
}

void read_attribute(cw::Run& run, cw::ParticleAttribute& attribute, const InitialBodies& initial,
                    const std::string& name) {
  grid::read_dataset(attribute.grid().comm().all(), initial.file, initial.prefix + "." + name,
                     attribute);
  run.runtime().log().entry("initial " + attribute.name(), initial.file);
}

std::string path_of(const cw::Run& run) {
  return run.solver().name + ".initial";
}

/// --dry-run makes a few steps with fewer particles than a file has: anywhere then.
bool is_sample(const cw::Run& run) {
  return run.sample() != nullptr && !run.sample()->only_checks;
}

void require_file(const cw::Run& run, const InitialBodies& initial) {
  const bool is_file = initial.kind == Kind::file;
  if (is_file == !initial.file.empty()) return;
  const std::string path = path_of(run);
  throw run.runtime().deck().error(
      path + ".file",
      is_file ? "'" + path + ".file' is missing: the file that holds the bodies"
              : "'" + path + ".file' names a file, but the kind is another one",
      "Write  kind: file, and the file's name with  file.");
}

}  // namespace

cw::Schema<InitialBodies> gravity_initial_schema() {
  const Kinds kinds{{"plummer", Kind::plummer},
                    {"random", Kind::random},
                    {"two_bodies", Kind::two_bodies},
                    {"file", Kind::file}};
  return {cw::key("kind", &InitialBodies::kind)
              .choices(kinds)
              .about("plummer: a sphere of bodies in balance; random: at rest, anywhere in the "
                     "grid; two_bodies: on their orbit; file: datasets of an HDF5 file"),
          cw::key("seed", &InitialBodies::seed).minimum(0).about("of random numbers"),
          cw::key("mass", &InitialBodies::mass).unit("kg").above(0.0).about("of all together"),
          cw::key("radius", &InitialBodies::radius)
              .unit("m")
              .above(0.0)
              .about("plummer: its scale; two_bodies: half their greatest distance"),
          cw::key("mass_ratio", &InitialBodies::mass_ratio)
              .above(0.0)
              .about("two_bodies: mass of the second one over that of the first one"),
          cw::key("eccentricity", &InitialBodies::eccentricity)
              .minimum(0.0)
              .maximum(0.99)
              .about("two_bodies: of their orbit, where it isn't softened"),
          cw::key("file", &InitialBodies::file).example("start.h5").about("with `kind: file`"),
          cw::key("prefix", &InitialBodies::prefix)
              .about("with `kind: file`: its datasets are PREFIX.position and PREFIX.velocity, of "
                     "shape (bodies, 3), and PREFIX.mass; as output has them")};
}

cw::Schema<InitialBodies> fluid_initial_schema() {
  const Kinds kinds{{"lattice", Kind::lattice}, {"random", Kind::random}, {"file", Kind::file}};
  return {cw::key("kind", &InitialBodies::kind)
              .choices(kinds)
              .about("lattice: face-centred cubic, over the whole grid; random: near its places; "
                     "file: datasets of an HDF5 file"),
          cw::key("seed", &InitialBodies::seed).minimum(0).about("of random numbers"),
          cw::key("temperature", &InitialBodies::temperature)
              .unit("J/kB")
              .minimum(0.0)
              .about("of random velocities, without momentum; not of a file's"),
          cw::key("filled", &InitialBodies::filled)
              .length(3, 3)
              .above(0.0)
              .maximum(1.0)
              .about("part of the grid along x, y, z, from its lower corner, that particles begin "
                     "in: a slab of liquid beside its vapour, say; not of a file's"),
          cw::key("file", &InitialBodies::file).example("start.h5").about("with `kind: file`"),
          cw::key("prefix", &InitialBodies::prefix)
              .about("with `kind: file`: its datasets are PREFIX.position and PREFIX.velocity, of "
                     "shape (particles, 3); as output has them")};
}

void set_bodies(cw::Run& run, cw::Particles& bodies, const InitialBodies& initial, double constant,
                double softening) {
  require_file(run, initial);
  if (initial.kind == Kind::file && !is_sample(run)) {
    read_attribute(run, bodies.position(), initial, "position");
    read_attribute(run, bodies["velocity"], initial, "velocity");
    read_attribute(run, bodies["mass"], initial, "mass");
    return;
  }
  if (initial.kind == Kind::two_bodies && bodies.count() != 2)
    throw run.runtime().deck().error("gravity.bodies",
                                     "'gravity.initial.kind' is two_bodies, but 'gravity.bodies' "
                                     "isn't 2",
                                     "Write  bodies: 2.");
  auto& x = bodies.position();
  auto& v = bodies["velocity"];
  auto& mass = bodies["mass"];
  const double second = initial.mass_ratio / (1.0 + initial.mass_ratio);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const long long identity = bodies.identities()[i];
    const Dice dice(initial.seed, identity);
    State state{};
    if (initial.kind == Kind::plummer) state = of_plummer_sphere(dice, constant, initial);
    if (initial.kind == Kind::random || initial.kind == Kind::file)
      state = of_random(dice, bodies.grid());
    if (initial.kind == Kind::two_bodies)
      state = of_two_bodies(identity, constant, softening, initial);
    for (int axis = 0; axis < 3; ++axis) {
      x.at(i, axis) = state.position[static_cast<std::size_t>(axis)];
      v.at(i, axis) = state.velocity[static_cast<std::size_t>(axis)];
    }
    mass.at(i) = initial.mass / static_cast<double>(bodies.count());
    if (initial.kind == Kind::two_bodies)
      mass.at(i) = initial.mass * (identity == 0 ? 1.0 - second : second);
  }
  if (initial.kind == Kind::plummer && bodies.count() > 0)
    stop_drift(bodies, [&](std::size_t i) { return mass.at(i); });
}

void set_fluid(cw::Run& run, cw::Particles& particles, const InitialBodies& initial, double mass) {
  require_file(run, initial);
  auto& v = particles["velocity"];
  if (initial.kind == Kind::file && !is_sample(run)) {
    read_attribute(run, particles.position(), initial, "position");
    read_attribute(run, v, initial, "velocity");
    particles.migrate();
    return;
  }
  const grid::GridBase& box = particles.grid();
  // Four places a cell, as few cubes a side as hold all.
  long long sides = 1;
  while (4 * sides * sides * sides < particles.count()) ++sides;
  constexpr std::array<Triple, 4> corners{
      {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}}};
  const double play = initial.kind == Kind::lattice ? 0.0 : 0.1;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Dice dice(initial.seed, particles.identities()[i]);
    for (int axis = 0; axis < 3; ++axis) v.at(i, axis) = dice.normal();
  }
  if (particles.count() > 0) {
    stop_drift(particles, [](std::size_t) { return 1.0; });
    set_temperature(particles, mass, initial.temperature);
  }
  particles.place([&](long long identity) {
    Dice dice(initial.seed + 1, identity);
    const long long cube = identity / 4;
    const std::array<long long, 3> at{cube % sides, cube / sides % sides, cube / (sides * sides)};
    Triple place{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double within =
          corners[static_cast<std::size_t>(identity % 4)][axis] + play * (2.0 * dice.even() - 1.0);
      place[axis] = box.origin(static_cast<int>(axis)) +
                    initial.filled[axis] * box.length(static_cast<int>(axis)) *
                        ((static_cast<double>(at[axis]) + within) / static_cast<double>(sides));
    }
    return place;
  });
}

void set_temperature(cw::Particles& particles, double mass, double temperature) {
  auto& v = particles["velocity"];
  comm::BinnedSum squares;
  for (int axis = 0; axis < 3; ++axis) squares.add_products(v.along(axis), v.along(axis));
  std::array<comm::BinnedSum, 1> sum{squares};
  particles.ranks().allreduce(sum, comm::binned_sum);
  // Without a mean velocity there are three freedoms less.
  const auto freedoms = static_cast<double>(3 * std::max(1LL, particles.count() - 1));
  const double now = mass * sum[0].value() / freedoms;
  if (!(now > 0.0)) return;
  const double factor = std::sqrt(temperature / now);
  for (int axis = 0; axis < 3; ++axis)
    for (double& speed : v.along(axis)) speed *= factor;
}

}  // namespace nbody
