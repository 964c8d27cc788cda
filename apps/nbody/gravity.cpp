// SPDX-License-Identifier: Apache-2.0
// Bodies that attract each other: d²x/dt² = G sum m (y - x) / (|y - x|² + s²)^(3/2), with Plummer's
// softening s, by leapfrog (kick, drift, kick), of second order and symplectic.
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/particles/for_each_particle.hpp>

#include "energies.hpp"
#include "initial.hpp"
#include "pair_forces.hpp"
#include "solvers.hpp"

namespace cw = cartwright;

namespace nbody {

struct Gravity {
  long long bodies = 1000;
  double constant = 1.0;
  double softening = 0.05;
  Way forces = Way::rows_and_columns;
  long long energies = 10;
  InitialBodies initial{};
};

cw::Schema<Gravity> gravity_schema() {
  return cw::Schema<Gravity>{
      cw::key("bodies", &Gravity::bodies).minimum(0).about("how many"),
      cw::key("constant", &Gravity::constant)
          .unit("m3/(kg s2)")
          .above(0.0)
          .about("of gravitation; 1 where units are chosen so"),
      cw::key("softening", &Gravity::softening)
          .unit("m")
          .above(0.0)
          .about("bodies attract each other as if they were so far apart in a fourth direction "
                 "(Plummer); sums count in units of 1e-18 of the force that this allows"),
      cw::key("forces", &Gravity::forces)
          .choices(cartwright::mapping::pair_ways())
          .about("all pairs, with the same bits: every rank gets all positions; they go round; or "
                 "they go along rows and columns of ranks, and sums along rows"),
      cw::key("energies", &Gravity::energies)
          .minimum(0)
          .unit("steps")
          .about("between rows of energies.csv; 0: none")}
      .section("initial", &Gravity::initial, gravity_initial_schema(), "where bodies begin");
}

void kick(cw::Particles& bodies, const PairForces& forces, double dt) {
  auto v = bodies["velocity"].view();
  cw::for_each(bodies, [=, &forces](std::ptrdiff_t i) {
    for (int axis = 0; axis < 3; ++axis)
      v(i, axis) += dt * forces.acceleration(static_cast<std::size_t>(i), axis);
  });
}

void drift(cw::Particles& bodies, double dt) {
  auto x = bodies.position().view();
  auto v = bodies["velocity"].view();
  cw::for_each(bodies, [=](std::ptrdiff_t i) {
    for (int axis = 0; axis < 3; ++axis) x(i, axis) += dt * v(i, axis);
  });
}

void note(cw::Table& table, long long step, cw::Particles& bodies, const PairForces& forces) {
  cw::rt::Trace& trace = bodies.grid().trace();
  const cw::rt::Timed timed(trace, trace.region("energies"));
  const auto& mass = bodies["mass"];
  const Conserved all = conserved(
      bodies, [&](std::size_t i) { return mass.at(i); },
      [&](std::size_t i) {
        Bound bound;
        bound.potential = 0.5 * mass.at(i) * forces.potential(i);
        return bound;
      });
  table.add(step, {all.kinetic, all.potential, all.total(), all.momentum[0], all.momentum[1],
                   all.momentum[2], all.angular[0], all.angular[1], all.angular[2]});
}

void require_open_space(const cw::Grid<3>& grid) {
  for (int axis = 0; axis < 3; ++axis)
    if (grid.periodic(axis))
      throw cw::input_error("grid.periodic: gravity reaches everywhere, and no axis is periodic",
                            "Leave grid.periodic out.", cw::rt::Reach::all_ranks);
}

void gravity(cw::Run& run, const Gravity& physics) {
  cw::Grid<3> grid(run);
  require_open_space(grid);
  const auto ranks = run.make_cart({process_grid(grid.comm().size())});
  cw::Particles bodies(grid, "bodies", physics.bodies, {{"velocity", "m/s", 3}, {"mass", "kg"}},
                       *ranks);
  cw::Table energies(run, "energies",
                     {"kinetic", "potential", "total", "momentum_x", "momentum_y", "momentum_z",
                      "angular_x", "angular_y", "angular_z"});
  run.on_fresh_start(
      [&] { set_bodies(run, bodies, physics.initial, physics.constant, physics.softening); });
  cw::Steps steps = run.steps(bodies);
  PairForces forces(bodies, physics.forces, physics.constant, physics.softening);
  const cw::rt::RegionId forces_region = grid.trace().region("forces");
  const auto compute = [&](bool with_potential) {
    const cw::rt::Timed timed(grid.trace(), forces_region);
    forces.compute(with_potential);
  };
  compute(!run.is_restart());
  if (!run.is_restart() && physics.energies > 0) note(energies, 0, bodies, forces);
  for (auto step : steps) {
    const bool is_noted = physics.energies > 0 && step.number % physics.energies == 0;
    kick(bodies, forces, 0.5 * step.dt);
    drift(bodies, step.dt);
    compute(is_noted);
    kick(bodies, forces, 0.5 * step.dt);
    if (is_noted) note(energies, step.number, bodies, forces);
  }
}

cw::grid::SolverEntry gravity_solver() {
  return cw::Solver("gravity", "bodies that attract each other, all pairs", gravity_schema())
      .function(nullptr, nullptr, gravity);
}

}  // namespace nbody
