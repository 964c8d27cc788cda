// SPDX-License-Identifier: Apache-2.0
// Incompressible flow: velocities on the faces of cells (Harlow and Welch 1965), pressures in their
// middle; Heun's two stages, each projected to be free of divergence (Chorin 1968) by a linear
// solver. Second order in space and time; obstacles consist of whole cells, whose faces nothing
// crosses and where the velocity is 0.
#include <cartwright/linear/solver.hpp>
#include <cmath>

#include "muscl.hpp"
#include "solvers.hpp"
#include "vorticity.hpp"

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

/// As kernels read it, of a face or of a pack of neighbouring faces.
template <int D>
using Velocity = cw::StaggeredPackView<const double, D>;

/// nu laplacian(u_d) - div(u u_d) at a face across axis d.
template <int D, class Point, class Cells>
KOKKOS_INLINE_FUNCTION auto acceleration(const Velocity<D>& u, const Point& i, int d,
                                         double viscosity, const Cells& cells) {
  using Number = cw::NumberAt<Point>;
  Number sum = viscosity * cw::laplacian(u[d], i, cells[d]);
  for (int axis = 0; axis < D; ++axis) {
    // What flows through the two sides of the face's own cell, and what it carries.
    Number up = 0.0, down = 0.0;
    if (axis == d) {
      up = cw::mean_above(u[d], i, d, cells[d]);
      down = cw::mean_below(u[d], i, d, cells[d]);
    } else {
      up = cw::flow_below(u[axis], i.shifted(axis, 1), d, cells[axis]);
      down = cw::flow_below(u[axis], i, d, cells[axis]);
    }
    sum -= cw::inverse_width(u[d], i, axis, cells[d]) *
           (up * cw::mean_above(u[d], i, axis, cells[d]) -
            down * cw::mean_below(u[d], i, axis, cells[d]));
  }
  return sum;
}

/// True for faces that fluid may cross: none of the two cells is solid.
struct Everywhere {
  template <class Point>
  KOKKOS_INLINE_FUNCTION bool operator()(const Point&, int) const {
    return true;
  }
};
template <int D>
struct AroundObstacles {
  cw::PackView<const unsigned char, D> solid;
  template <class Point>
  KOKKOS_INLINE_FUNCTION auto operator()(const Point& i, int axis) const {
    return solid(i) == 0 && solid(i.shifted(axis, -1)) == 0;
  }
};

/// A stage of Heun's scheme, at faces across `axis`; what pressure does comes later.
template <int D, class Open, class Cells>
struct Accelerate {
  Velocity<D> begun, now;
  cw::PackView<double, D> out;
  int axis;
  Stage stage;
  double dt, viscosity;
  Open open;
  Cells cells;

  template <class Point>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i) const {
    using Number = cw::NumberAt<Point>;
    const Number moved = now[axis](i) + dt * acceleration(now, i, axis, viscosity, cells);
    const Number mean = stage.old * begun[axis](i) + stage.own * moved;
    out(i) = cw::choose(open(i, axis), mean, Number(0.0));
  }
};

/// The longest time step that advection and diffusion bear.
template <int D, class Cells>
double longest_step(cw::Staggered<double, D>& u, const cw::Field<double, D>& pressure,
                    const NavierStokes& physics, const Cells& cells) {
  double rate = 0.0;
  auto flow = u.view();
  cw::reduce(
      pressure,
      KOKKOS_LAMBDA(cw::Index<D> i, double& most) {
        double sum = 0.0;
        for (int axis = 0; axis < D; ++axis)
          sum += std::fabs(cw::mean_above(flow[axis], i, axis, cells[axis])) *
                 cw::inverse_width(flow[axis], i, axis, cells.middle());
        most = std::fmax(most, sum);
      },
      cw::Max(rate));
  return 1.0 /
         (rate / physics.cfl + 2.5 * physics.viscosity * pressure.grid().inverse_spacing_squared());
}

/// Makes u free of divergence, by the gradient of `pressure`: what is wanted at `time`.
template <int D, class Solver, class Open, class Cells>
void project(cw::Staggered<double, D>& u, cw::Field<double, D>& pressure,
             cw::Field<double, D>& source, Solver& solver, const Open& open, const Cells& cells,
             double dt, double time) {
  auto flow = u.view();
  auto sources = source.view();
  cw::exchange(u).at(time).wait();
  cw::for_each(
      source, KOKKOS_LAMBDA(cw::Index<D> i) {
        double divergence = 0.0;
        for (int axis = 0; axis < D; ++axis)
          divergence += cw::difference_above(flow[axis], i, axis, cells[axis]);
        sources(i) = -divergence / dt;
      });
  solver.solve(pressure, source, time);
  cw::exchange(pressure).at(time).wait();
  auto p = pressure.view();
  for (int axis = 0; axis < D; ++axis)
    cw::for_each(
        u[axis], KOKKOS_LAMBDA(cw::Index<D> i) {
          if (open(i, axis)) flow[axis](i) -= dt * cw::difference_below(p, i, axis, cells.middle());
        });
}

template <int D, class Operator, class Open, class Cells>
void flow_on(cw::Run& run, const NavierStokes& physics, cw::Staggered<double, D>& u,
             cw::Field<double, D>& pressure, Operator& minus_laplacian, const Open& open,
             const Cells& cells) {
  cw::Staggered<double, D> stage = u.like();
  cw::Field<double, D> source(pressure.typed_grid(), "source");
  cw::linear::Solver solver(minus_laplacian, physics.linear);
  for (auto step : run.steps(u, pressure).adaptive()) {
    cw::exchange(u).wait();
    const double dt = step.limit(longest_step(u, pressure, physics, cells)), end = step.time + dt;
    for (const Stage& each : heun) {
      const bool is_first = each.at == 0.0;
      cw::Staggered<double, D>&from = is_first ? u : stage, &to = is_first ? stage : u;
      if (!is_first) cw::exchange(from).at(end).wait();
      const Velocity<D> begun = cw::packs(u).reading(), now = cw::packs(from).reading();
      for (int axis = 0; axis < D; ++axis)
        cw::for_each(to[axis], cw::in_packs(Accelerate<D, Open, Cells>{
                                   begun, now, cw::packs(to[axis]), axis, each, dt,
                                   physics.viscosity, open, cells}));
      project(to, pressure, source, solver, open, cells, each.own * dt, end);
    }
  }
}

/// In the middle of cells.
template <int D, class Cells>
void compute_vorticity(cw::Staggered<double, D>& u, cw::Field<double, D>& vorticity,
                       const Cells& cells) {
  auto flow = u.view();
  auto out = vorticity.view();
  cw::exchange(u).wait();
  cw::for_each(
      vorticity, KOKKOS_LAMBDA(cw::Index<D> i) {
        out(i) = vorticity_of<D>([&](int of, int axis) {  // the mean of two faces
          return 0.5 * cw::derivative(flow[of], i, axis, cells[of]) +
                 0.5 * cw::derivative(flow[of], i.shifted(of, 1), axis, cells[of]);
        });
      });
}

template <int D, class Cells>
void navier_stokes_on(cw::Run& run, const NavierStokes& physics, cw::Staggered<double, D>& u,
                      cw::Field<double, D>& pressure, cw::Field<unsigned char, D>& solid,
                      const Cells& cells) {
  cw::exchange(solid).wait();
  auto is_solid = solid.view();
  int obstacles = 0;
  cw::reduce(
      solid,
      KOKKOS_LAMBDA(cw::Index<D> i, int& most) { most = is_solid(i) > most ? is_solid(i) : most; },
      cw::Max(obstacles));
  if (obstacles == 0) {
    cw::linear::Diffusion minus_laplacian(pressure);
    return flow_on(run, physics, u, pressure, minus_laplacian, Everywhere{}, cells);
  }
  // No pressure gets through solid cells: their coefficient is nearly 0.
  cw::Field<double, D> coefficient(pressure.typed_grid(), "coefficient");
  auto permeable = coefficient.view();
  cw::for_each(
      coefficient,
      KOKKOS_LAMBDA(cw::Index<D> i) { permeable(i) = is_solid(i) != 0 ? 1.0e-8 : 1.0; });
  cw::linear::Diffusion minus_laplacian(pressure, coefficient);
  run.mask(solid);
  flow_on(run, physics, u, pressure, minus_laplacian,
          AroundObstacles<D>{cw::packs(solid).reading()}, cells);
}

template <int D>
void navier_stokes(cw::Run& run, const NavierStokes& physics) {
  cw::Grid<D> grid(run);
  cw::Staggered<double, D> u(grid, "velocity", {.corners = true});
  cw::Field<double, D> pressure(grid, "pressure"), vorticity(grid, "vorticity");
  cw::Field<unsigned char, D> solid(grid, "solid");
  run.initialize(u, pressure, solid);
  cw::with_cells(u, [&](const auto& cells) {
    run.show(vorticity, [&, cells] { compute_vorticity(u, vorticity, cells); });
    navier_stokes_on(run, physics, u, pressure, solid, cells);
  });
}

cw::grid::SolverEntry navier_stokes_solver() {
  return cw::Solver("navier_stokes", "incompressible flow", navier_stokes_schema())
      .field("velocity_x", "m/s")
      .field("velocity_y", "m/s")
      .field("velocity_z", "m/s")
      .field("pressure", "m2/s2")
      .default_boundary("neumann")
      .field("solid")
      .field("vorticity", "1/s")
      .stretched_cells()
      .function(nullptr, navier_stokes<2>, navier_stokes<3>);
}

}  // namespace pde
