// SPDX-License-Identifier: Apache-2.0
// Incompressible flow: velocities on the faces of cells (Harlow and Welch 1965), pressures in their
// middle; Heun's two stages, each projected to be free of divergence (Chorin 1968) by a linear
// solver. Second order in space and time.
#include <cartwright/linear/solver.hpp>
#include <cmath>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct NavierStokes {
  double viscosity = 0.01;
  double cfl = 0.5;
  cw::linear::Options linear{.tolerance = 1e-6};
};

cw::Schema<NavierStokes> navier_stokes_schema() {
  return cw::Schema<NavierStokes>{
      cw::key("viscosity", &NavierStokes::viscosity)
          .unit("m2/s")
          .minimum(0.0)
          .about("kinematic viscosity"),
      cw::key("cfl", &NavierStokes::cfl)
          .above(0.0)
          .maximum(1.0)
          .about("fraction of a cell that the flow crosses in one step")}
      .section("linear", &NavierStokes::linear, cw::linear::schema(), "how pressures are found");
}

template <int D>
using Velocity = cw::StaggeredView<double, D>;

/// nu laplacian(u_d) - div(u u_d) at a face across axis d.
template <int D>
KOKKOS_INLINE_FUNCTION double acceleration(const Velocity<D>& u, const cw::Index<D>& i, int d,
                                           double viscosity) {
  double sum = viscosity * cw::laplacian(u[d], i);
  for (int axis = 0; axis < D; ++axis) {
    const cw::Index<D> above = i.shifted(axis, axis == d ? 0 : 1),
                       below = i.shifted(axis, axis == d ? -1 : 0);
    // What flows through the two sides of the face's own cell, and what it carries.
    const double up = axis == d ? cw::mean_above(u[d], i, d) : cw::mean_below(u[axis], above, d);
    const double down = axis == d ? cw::mean_below(u[d], i, d) : cw::mean_below(u[axis], below, d);
    sum -= u[d].inverse_spacing(axis) *
           (up * cw::mean_above(u[d], i, axis) - down * cw::mean_below(u[d], i, axis));
  }
  return sum;
}

/// The longest time step that advection and diffusion bear.
template <int D>
double longest_step(cw::Staggered<double, D>& u, const cw::Field<double, D>& pressure,
                    const NavierStokes& physics) {
  double rate = 0.0;
  auto flow = u.view();
  cw::reduce(
      pressure,
      KOKKOS_LAMBDA(cw::Index<D> i, double& most) {
        double sum = 0.0;
        for (int axis = 0; axis < D; ++axis)
          sum += std::fabs(cw::mean_above(flow[axis], i, axis)) * flow[axis].inverse_spacing(axis);
        most = std::fmax(most, sum);
      },
      cw::Max(rate));
  return 1.0 /
         (rate / physics.cfl + 2.5 * physics.viscosity * pressure.grid().inverse_spacing_squared());
}

/// Makes u free of divergence, by the gradient of `pressure`: what is wanted at `time`.
template <int D, class Solver>
void project(cw::Staggered<double, D>& u, cw::Field<double, D>& pressure,
             cw::Field<double, D>& source, Solver& solver, double dt, double time) {
  auto flow = u.view();
  auto sources = source.view();
  cw::exchange(u).at(time).wait();
  cw::for_each(
      source, KOKKOS_LAMBDA(cw::Index<D> i) {
        double divergence = 0.0;
        for (int axis = 0; axis < D; ++axis)
          divergence += cw::difference_above(flow[axis], i, axis);
        sources(i) = -divergence / dt;
      });
  solver.solve(pressure, source, time);
  cw::exchange(pressure).at(time).wait();
  auto p = pressure.view();
  for (int axis = 0; axis < D; ++axis)
    cw::for_each(
        u[axis],
        KOKKOS_LAMBDA(cw::Index<D> i) { flow[axis](i) -= dt * cw::difference_below(p, i, axis); });
}

template <int D>
void navier_stokes(cw::Run& run, const NavierStokes& physics) {
  cw::Grid<D> grid(run);
  cw::Staggered<double, D> u(grid, "velocity", {.corners = true}), stage = u.like();
  cw::Field<double, D> pressure(grid, "pressure"), source(grid, "source");
  run.initialize(u, pressure);
  cw::linear::Diffusion minus_laplacian(pressure);
  cw::linear::Solver solver(minus_laplacian, physics.linear);

  for (auto step : run.steps(u, pressure).adaptive()) {
    cw::exchange(u).wait();
    const double nu = physics.viscosity, dt = step.limit(longest_step(u, pressure, physics));
    const double end = step.time + dt;
    auto old = u.view(), next = stage.view();
    for (int axis = 0; axis < D; ++axis)
      cw::for_each(
          u[axis], KOKKOS_LAMBDA(cw::Index<D> i) {
            next[axis](i) = old[axis](i) + dt * acceleration(old, i, axis, nu);
          });
    project(stage, pressure, source, solver, dt, end);
    cw::exchange(stage).at(end).wait();
    for (int axis = 0; axis < D; ++axis)
      cw::for_each(
          u[axis], KOKKOS_LAMBDA(cw::Index<D> i) {
            old[axis](i) =
                0.5 * (old[axis](i) + next[axis](i) + dt * acceleration(next, i, axis, nu));
          });
    project(u, pressure, source, solver, 0.5 * dt, end);
  }
}

cw::grid::SolverEntry navier_stokes_solver() {
  return cw::Solver("navier_stokes", "incompressible flow", navier_stokes_schema())
      .field("velocity_x", "m/s")
      .field("velocity_y", "m/s")
      .field("velocity_z", "m/s")
      .field("pressure", "m2/s2")
      .default_boundary("neumann")
      .function(nullptr, navier_stokes<2>, navier_stokes<3>);
}

}  // namespace pde
