// SPDX-License-Identifier: Apache-2.0
// A fluid of particles with Lennard-Jones' potential 4 e ((s/r)^12 - (s/r)^6), cut off and lifted
// to 0 there, by velocity Verlet's leapfrog.
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/particles/for_each_particle.hpp>
#include <cmath>
#include <memory>
#include <numbers>

#include "energies.hpp"
#include "fluid_pairs.hpp"
#include "initial.hpp"
#include "lennard_jones_kernel.hpp"
#include "solvers.hpp"

namespace cw = cartwright;

namespace nbody {

struct Thermostat {
  double temperature = 1.0;
  long long until = 0;
};

/// How particles find those that are near.
enum class Search { cells, allgather, ring, rows_and_columns };

std::vector<std::pair<std::string, Search>> searches() {
  return {{"cells", Search::cells},
          {"allgather", Search::allgather},
          {"ring", Search::ring},
          {"rows_and_columns", Search::rows_and_columns}};
}

Way way_of(Search search) {
  if (search == Search::allgather) return Way::allgather;
  return search == Search::ring ? Way::ring : Way::rows_and_columns;
}

struct Fluid {
  long long particles = 864;
  double mass = 1.0, energy = 1.0, diameter = 1.0, cutoff = 2.5;
  bool tail = false;
  Search forces = Search::cells;
  long long energies = 10;
  Thermostat thermostat{};
  InitialBodies initial = [] {
    InitialBodies data;
    data.kind = Kind::lattice;
    data.prefix = "fluid";
    return data;
  }();
};

cw::Schema<Thermostat> thermostat_schema() {
  return {cw::key("temperature", &Thermostat::temperature)
              .unit("J/kB")
              .above(0.0)
              .about("that velocities are given"),
          cw::key("until", &Thermostat::until)
              .minimum(0)
              .unit("steps")
              .about("so long; then energy is left as it is")};
}

cw::Schema<Fluid> fluid_schema() {
  return cw::Schema<Fluid>{
      cw::key("particles", &Fluid::particles).minimum(0).about("how many"),
      cw::key("mass", &Fluid::mass).unit("kg").above(0.0).about("of a particle"),
      cw::key("energy", &Fluid::energy).unit("J").above(0.0).about("depth of the potential"),
      cw::key("diameter", &Fluid::diameter).unit("m").above(0.0).about("where the potential is 0"),
      cw::key("cutoff", &Fluid::cutoff).unit("diameters").above(0.0).about("no force beyond it"),
      cw::key("tail", &Fluid::tail)
          .about("energy and pressure in energies.csv as if there were no cutoff: what lies beyond "
                 "counts as spread evenly, and the potential isn't lifted"),
      cw::key("forces", &Fluid::forces)
          .choices(searches())
          .about(
              "cells: who is near stands in lists of cells, and particles go to whose cells they "
              "are in; else all pairs are looked at, as gravity does: the same but for rounding, "
              "in a time that grows as the square"),
      cw::key("energies", &Fluid::energies)
          .minimum(0)
          .unit("steps")
          .about("between rows of energies.csv; 0: none")}
      .section("thermostat", &Fluid::thermostat, thermostat_schema(),
               "velocities are scaled in the first steps")
      .section("initial", &Fluid::initial, fluid_initial_schema(), "where particles begin");
}

/// Particles, who is near whom, and the forces between them.
class FluidModel {
 public:
  FluidModel(cw::Particles& particles, const Fluid& fluid)
      : particles_(particles),
        fluid_(fluid),
        law_(fluid.energy, fluid.diameter, fluid.cutoff, !fluid.tail),
        cells_(fluid.cutoff * fluid.diameter),
        forces_region_(trace().region("forces")),
        energies_region_(trace().region("energies")) {
    if (fluid.forces != Search::cells)
      pairs_ = std::make_unique<FluidPairs>(particles, way_of(fluid.forces), law_);
  }

  /// Collective. Particles have moved: who owns them, and what acts on them.
  void find(bool with_energies) {
    const cw::rt::Timed timed(trace(), forces_region_);
    particles_.migrate();
    const bool mine = pairs_ ? pairs_->find(with_energies, forces_) : find_by_cells(with_energies);
    // Asked now and then only: everybody waits for the answer.
    if (with_energies &&
        particles_.ranks().allreduce(mine ? 0 : 1, cw::comm::Operator::maximum) != 0)
      throw cw::numerical_failure(pairs_ ? "two particles are closer than half a diameter"
                                         : "two particles are at the same place",
                                  "Take a smaller time step, or other initial data.",
                                  cw::rt::Reach::all_ranks);
  }

  void kick(double dt) {
    auto v = particles_["velocity"].view();
    const double factor = dt / fluid_.mass;
    cw::for_each(particles_, [=, this](std::ptrdiff_t i) {
      for (int axis = 0; axis < 3; ++axis)
        v(i, axis) +=
            factor * forces_.force[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)];
    });
  }

  void drift(double dt) {
    auto x = particles_.position().view();
    auto v = particles_["velocity"].view();
    cw::for_each(particles_, [=](std::ptrdiff_t i) {
      for (int axis = 0; axis < 3; ++axis) x(i, axis) += dt * v(i, axis);
    });
    particles_.reflect(particles_["velocity"]);
  }

  /// Collective.
  void note(cw::Table& table, long long step) {
    const cw::rt::Timed timed(trace(), energies_region_);
    const Conserved all = conserved(
        particles_, [this](std::size_t) { return fluid_.mass; },
        [this](std::size_t i) {
          Bound bound;
          bound.potential = forces_.potential[i];
          bound.virial = forces_.virial[i];
          return bound;
        });
    const auto count = static_cast<double>(particles_.count());
    const cw::grid::GridBase& box = particles_.grid();
    const double volume = box.length(0) * box.length(1) * box.length(2);
    const double temperature = 2.0 * all.kinetic / (3.0 * std::max(1.0, count - 1.0));
    const auto [energy, pressure] = tail(count, volume);
    table.add(step, {all.kinetic, all.potential + energy, all.total() + energy, temperature,
                     (count * temperature + all.virial / 3.0) / volume + pressure, all.momentum[0],
                     all.momentum[1], all.momentum[2]});
  }

 private:
  [[nodiscard]] cw::rt::Trace& trace() const { return particles_.grid().trace(); }
  bool find_by_cells(bool with_energies) {
    particles_.ghosts(cells_.radius());
    cells_.sort(particles_);
    return find_forces(particles_, cells_, law_, with_energies, forces_);
  }
  /// Of all together, J, and J/m3: Allen and Tildesley, Computer simulation of liquids, 2.8.
  [[nodiscard]] std::array<double, 2> tail(double count, double volume) const {
    if (!fluid_.tail || count == 0.0) return {};
    const double s3 = std::pow(fluid_.diameter, 3), density = count / volume * s3;
    const double third = std::pow(fluid_.cutoff, -3.0), ninth = third * third * third;
    constexpr double pi = std::numbers::pi;
    const double energy = 8.0 / 3.0 * pi * density * (ninth / 3.0 - third);
    const double pressure = 16.0 / 3.0 * pi * density * density * (2.0 / 3.0 * ninth - third);
    return {count * fluid_.energy * energy, fluid_.energy * pressure / s3};
  }

  cw::Particles& particles_;
  const Fluid& fluid_;
  PairPotential law_;
  cw::CellList cells_;
  FluidForces forces_;
  std::unique_ptr<FluidPairs> pairs_;
  cw::rt::RegionId forces_region_, energies_region_;
};

/// Spread by place, or by identity over a 2-D process grid.
std::unique_ptr<cw::Particles> particles_of(const cw::Grid<3>& grid, const Fluid& fluid,
                                            const cw::comm::CartComm* ranks) {
  const std::vector<cw::Particles::Attribute> attributes{{"velocity", "m/s", 3}};
  if (ranks == nullptr)
    return std::make_unique<cw::Particles>(grid, "fluid", fluid.particles, attributes);
  return std::make_unique<cw::Particles>(grid, "fluid", fluid.particles, attributes, *ranks);
}

void lennard_jones(cw::Run& run, const Fluid& fluid) {
  cw::Grid<3> grid(run);
  const auto ranks =
      fluid.forces == Search::cells ? nullptr : run.make_cart({process_grid(grid.comm().size())});
  const auto made = particles_of(grid, fluid, ranks.get());
  cw::Particles& particles = *made;
  cw::Table energies(run, "energies",
                     {"kinetic", "potential", "total", "temperature", "pressure", "momentum_x",
                      "momentum_y", "momentum_z"});
  run.on_fresh_start([&] { set_fluid(run, particles, fluid.initial, fluid.mass); });
  cw::Steps steps = run.steps(particles);
  FluidModel model(particles, fluid);
  const cw::rt::RegionId thermostat = grid.trace().region("thermostat");
  model.find(!run.is_restart());
  if (!run.is_restart() && fluid.energies > 0) model.note(energies, 0);
  for (auto step : steps) {
    const bool is_noted = fluid.energies > 0 && step.number % fluid.energies == 0;
    model.kick(0.5 * step.dt);
    model.drift(step.dt);
    model.find(is_noted);
    model.kick(0.5 * step.dt);
    if (step.number <= fluid.thermostat.until) {
      const cw::rt::Timed timed(grid.trace(), thermostat);
      set_temperature(particles, fluid.mass, fluid.thermostat.temperature);
    }
    if (is_noted) model.note(energies, step.number);
  }
}

cw::grid::SolverEntry lennard_jones_solver() {
  return cw::Solver("lennard_jones", "a fluid of particles, short-ranged pairs", fluid_schema())
      .function(nullptr, nullptr, lennard_jones);
}

}  // namespace nbody
