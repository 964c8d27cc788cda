// SPDX-License-Identifier: Apache-2.0
// Electrons before a background that stands still: a plasma by particles in cells (Birdsall and
// Langdon 1985). All in multiples of an electron's charge and mass, of their density and of the
// frequency at which they swing.
#include <cartwright/cartwright.hpp>
#include <cartwright/linear/solver.hpp>
#include <cmath>
#include <numbers>

namespace cw = cartwright;

struct Plasma {
  long long electrons = 4;
  double amplitude = 0.05;
  cw::linear::Options linear{.tolerance = 1e-9};
};

cw::Schema<Plasma> schema() {
  return cw::Schema<Plasma>{
      cw::key("electrons", &Plasma::electrons).minimum(1).about("along each axis of a cell"),
      cw::key("amplitude", &Plasma::amplitude).above(0.0).below(1.0).about("of a wave along x")}
      .section("linear", &Plasma::linear, cw::linear::schema(), "how the potential is found");
}

/// In rows, which a wave has moved along x.
template <int D>
std::array<double, 3> begin(const cw::Grid<D>& grid, const Plasma& p, long long identity) {
  std::array<double, 3> place{};
  for (int axis = 0; axis < D; ++axis) {
    const long long row = p.electrons * grid.extent(axis);
    const double part = (static_cast<double>(identity % row) + 0.5) / static_cast<double>(row);
    place[static_cast<std::size_t>(axis)] = grid.origin(axis) + part * grid.length(axis);
    identity /= row;
  }
  const double wave = 2.0 * std::numbers::pi / grid.length(0);
  place[0] -= p.amplitude / wave * std::sin(wave * (place[0] - grid.origin(0)));
  return place;
}

template <int D>
long long count(const cw::Grid<D>& grid, const Plasma& p) {
  long long all = 1;
  for (int axis = 0; axis < D; ++axis) all *= p.electrons * grid.extent(axis);
  return all;
}

template <int D>
void add_background(const cw::Field<double, D>& density, cw::Field<double, D>& charge) {
  const auto n = density.view();
  const auto out = charge.view();
  cw::for_each(
      charge, KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = 1.0 - n(i); });
}

/// On an electron, whose charge is -1.
template <int D>
void find_force(cw::Field<double, D>& potential, cw::Field<cw::Vector<double, D>, D>& force) {
  const auto phi = potential.view().reading();
  const auto out = force.view();
  cw::exchange(potential).overlap(KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = cw::gradient(phi, i); });
  cw::exchange(force).wait();
}

template <int D>
void kick(cw::Particles& electrons, const cw::Field<cw::Vector<double, D>, D>& force, double dt) {
  const cw::Interpolation push(force);
  const auto x = electrons.position().view(), v = electrons["velocity"].view();
  cw::for_each(electrons, [=](std::ptrdiff_t p) {
    const cw::Vector<double, D> here = push(x, p);
    for (int axis = 0; axis < D; ++axis) v(p, axis) += dt * here[axis];
  });
}

template <int D>
void drift(cw::Particles& electrons, double dt) {
  const auto x = electrons.position().view(), v = electrons["velocity"].view();
  cw::for_each(electrons, [=](std::ptrdiff_t p) {
    for (int axis = 0; axis < D; ++axis) x(p, axis) += dt * v(p, axis);
  });
  electrons.reflect(electrons["velocity"]);
  electrons.migrate();
}

/// The sum of squares, of all velocities.
template <int D>
double squares(cw::Particles& electrons) {
  double all = 0.0;
  const auto v = electrons["velocity"].view();
  cw::reduce(
      electrons,
      [=](std::ptrdiff_t p, double& sum) {
        for (int axis = 0; axis < D; ++axis) sum += v(p, axis) * v(p, axis);
      },
      cw::Sum(all));
  return all;
}

template <int D>
void plasma(cw::Run& run, const Plasma& p) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> density(grid, "density"), charge(grid, "charge"),
      potential(grid, "potential");
  cw::Field<cw::Vector<double, D>, D> force(grid, "force", {.corners = true});
  cw::Particles electrons(grid, "electrons", count(grid, p), {{"velocity", "", D}});
  cw::Deposition onto_density(density);
  cw::linear::Diffusion operation(potential);
  cw::linear::Solver solver(operation, p.linear);
  cw::Table energies(run, "energies", {"time", "kinetic", "electric"});

  const double share = std::pow(static_cast<double>(p.electrons), -D);  // of a cell's electrons
  const auto find_density = [&] { onto_density(electrons, [=](std::ptrdiff_t) { return share; }); };
  const auto find_potential = [&] {
    find_density();
    add_background(density, charge);
    solver.solve(potential, charge);
  };
  run.on_fresh_start([&] {
    electrons.place([&](long long identity) { return begin(grid, p, identity); });
    find_potential();
  });
  run.show(density, find_density);
  // The potential, too, as the next one is found from it: a restart finds the same bits.
  auto steps = run.steps(electrons, potential);
  steps.stable_below(2.0, "leapfrog");
  find_force(potential, force);
  for (auto step : steps) {
    kick(electrons, force, 0.5 * step.dt);
    drift<D>(electrons, step.dt);
    find_potential();
    find_force(potential, force);
    kick(electrons, force, 0.5 * step.dt);
    energies.add(step.number, {step.time + step.dt, 0.5 * share * squares<D>(electrons),
                               0.5 * cw::dot(force, force)});  // in a cell's volumes
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("plasma", "electrons by particles in cells", schema())
                      .field("density")
                      .field("potential")
                      .function(plasma<1>, plasma<2>, plasma<3>)});
}
