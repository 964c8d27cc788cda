// SPDX-License-Identifier: Apache-2.0
// A tracer is carried along, du/dt + v grad u = 0: upwind values with limited slopes, Heun's steps.
// Second order where u is smooth; no new extrema.
#include <cmath>

#include "muscl.hpp"
#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Advection {};

/// How fast u falls at cell `i`.
template <int D, class Cells>
KOKKOS_INLINE_FUNCTION double advected(const cw::FieldView<double, D>& u,
                                       const cw::FieldView<cw::Vector<double, D>, D>& velocity,
                                       const cw::Index<D>& i, const Cells& cells) {
  double change = 0.0;
  for (int axis = 0; axis < D; ++axis) {
    // The value on the high face of cell j less that of cell i, times the velocity there.
    const auto carried = [&](const cw::Index<D>& j) {
      const double v = cw::mean_above(velocity, j, axis, cells)[axis];
      const cw::Index<D> from = v > 0.0 ? j : j.shifted(axis, 1);
      const double slope = limited_slope(u(from) - u(from.shifted(axis, -1)),
                                         u(from.shifted(axis, 1)) - u(from), from, axis, cells);
      return v * (u(from) + (v > 0.0 ? 0.5 : -0.5) * slope - u(i));
    };
    change += cw::inverse_width(u, i, axis, cells) * (carried(i) - carried(i.shifted(axis, -1)));
  }
  return change;
}

/// How many cells are crossed in a unit of time, at most.
template <int D, class Cells>
double fastest_flow(cw::Field<cw::Vector<double, D>, D>& velocity, const Cells& cells) {
  double fastest = 0.0;
  auto v = velocity.view();
  cw::reduce(
      velocity,
      KOKKOS_LAMBDA(cw::Index<D> i, double& most) {
        double crossed = 0.0;
        for (int axis = 0; axis < D; ++axis)
          crossed += cw::inverse_width(v, i, axis, cells) * std::fabs(v(i)[axis]);
        if (!(crossed <= most)) most = crossed;
      },
      cw::Max(fastest));
  if (fastest == 0.0)
    throw cw::input_error("the velocity is 0 everywhere", "Give initial.velocity.",
                          cw::rt::Reach::all_ranks);
  return fastest;
}

template <int D, class Cells>
void advect(cw::Run& run, cw::Field<double, D>& u, cw::Field<cw::Vector<double, D>, D>& velocity,
            const Cells& cells) {
  cw::Field<double, D> stage = u.like(), next = u.like();
  auto steps = run.steps(u);
  steps.stable_below(0.5 / fastest_flow(velocity, cells), "limited upwind differences");
  for (auto step : steps) {
    auto start = u.view();
    auto v = velocity.view();
    for (const Stage& each : heun) {
      cw::Field<double, D>& from = each.at == 0.0 ? u : stage;
      auto in = from.view();
      auto out = next.view();
      const double dt = step.dt, old = each.old, own = each.own;
      cw::exchange(from).at(step.time + each.at * dt).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
        out(i) = old * start(i) + own * (in(i)-dt * advected(in, v, i, cells));
      });
      swap(stage, next);
    }
    swap(u, stage);
  }
}

template <int D>
void advection(cw::Run& run, const Advection&) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "tracer", {.halo = 2});
  cw::Field<cw::Vector<double, D>, D> velocity(grid, "velocity", {.halo = 2});
  run.initialize(u, velocity);
  cw::exchange(velocity).wait();
  cw::with_cells(u, [&](const auto& cells) { advect(run, u, velocity, cells); });
}

cw::grid::SolverEntry advection_solver() {
  return cw::Solver<Advection>("advection", "a tracer in a steady flow")
      .field("tracer", "1")
      .default_boundary("outflow")
      .field("velocity", {cw::per_axis("velocity", "m/s")})
      .default_boundary("outflow")
      .stretched_cells()
      .function(advection<1>, advection<2>, advection<3>);
}

}  // namespace pde
