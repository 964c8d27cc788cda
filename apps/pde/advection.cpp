// SPDX-License-Identifier: Apache-2.0
// A tracer is carried along, du/dt + v grad u = 0: upwind values with limited slopes, Heun's steps.
// Second order where u is smooth; no new extrema.
#include <cmath>

#include "muscl.hpp"
#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Advection {};

template <int D>
using VelocityField = cw::Field<cw::Arrays<cw::Vector<double, D>>, D>;
template <int D>
using VelocityView = cw::PackView<const cw::Arrays<cw::Vector<double, D>>, D>;

/// What crosses a face, of a cell or of a pack of cells: the velocity across it, and the value
/// there.
template <class Number>
using Carried = cw::Vector<Number, 2>;

/// The value on the low (`side` -0.5) or high (0.5) face of cell `i`.
template <int D, class Point, class Cells>
KOKKOS_FORCEINLINE_FUNCTION auto at_face(const cw::PackView<const double, D>& u, const Point& i,
                                         int axis, double side, const Cells& cells) {
  const auto below = u(i.shifted(axis, -1)), own = u(i), above = u(i.shifted(axis, 1));
  return own + side * limited_slope<cw::NumberAt<Point>>(own - below, above - own, i, axis, cells);
}

/// What crosses the low face of a cell: the value on that side from where the flow comes.
template <int D, class Cells>
struct CarriedBelow {
  cw::PackView<const double, D> u;
  VelocityView<D> velocity;
  Cells cells;

  template <class Point>
  KOKKOS_INLINE_FUNCTION auto operator()(const Point& i, int axis) const {
    using Number = cw::NumberAt<Point>;
    const Number v = cw::mean_below(velocity, i, axis, cells)[axis];
    return Carried<Number>{v, cw::choose(v > 0.0, at_face(u, i.shifted(axis, -1), axis, 0.5, cells),
                                         at_face(u, i, axis, -0.5, cells))};
  }
};

/// A stage of a step, of one cell.
template <int D, class Cells>
struct Advect {
  cw::PackView<const double, D> start, in;
  cw::PackView<double, D> out;
  Stage stage;
  double dt;
  Cells cells;

  template <class Point, class Flux>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, const cw::Fluxes<Flux, D>& carried) const {
    using Number = cw::NumberAt<Point>;
    const auto begun = start(i), here = in(i);
    // Of the value less that of the cell: where that is the same all around, it stays.
    const auto across = [&](const Flux& face) -> Number { return face[0] * (face[1] - here); };
    Number change = 0.0;
    for (int axis = 0; axis < D; ++axis)
      change += cw::inverse_width(in, i, axis, cells) *
                (across(carried.high[axis]) - across(carried.low[axis]));
    out(i) = stage.old * begun + stage.own * (here - dt * change);
  }
};

/// How many cells are crossed in a unit of time, at most.
template <int D, class Cells>
double fastest_flow(VelocityField<D>& velocity, const Cells& cells) {
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
void advect(cw::Run& run, cw::Field<double, D>& u, VelocityField<D>& velocity, const Cells& cells) {
  cw::Field<double, D> stage = u.like(), next = u.like();
  auto steps = run.steps(u);
  steps.stable_below(0.5 / fastest_flow(velocity, cells), "limited upwind differences");
  for (auto step : steps) {
    for (const Stage& each : heun) {
      cw::Field<double, D>& from = each.at == 0.0 ? u : stage;
      const auto in = cw::packs(from).reading();
      const CarriedBelow<D, Cells> carried{in, cw::packs(velocity).reading(), cells};
      const Advect<D, Cells> advected{
          cw::packs(u).reading(), in, cw::packs(next), each, step.dt, cells};
      cw::exchange(from)
          .at(step.time + each.at * step.dt)
          .overlap(cw::with_fluxes(cw::in_packs(carried), cw::in_packs(advected)));
      swap(stage, next);
    }
    swap(u, stage);
  }
}

template <int D>
void advection(cw::Run& run, const Advection&) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "tracer", {.halo = 2});
  VelocityField<D> velocity(grid, "velocity", {.halo = 2});
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
