// SPDX-License-Identifier: Apache-2.0
// Euler's equations of a gas without friction: MUSCL reconstruction of density, velocity and
// pressure, HLLC fluxes (Toro, Riemann Solvers, 2009, 10.4), Heun's steps; second order where the
// flow is smooth. The field holds density, velocity and pressure; density, momentum and energy,
// which are conserved, follow from them at every point.
#include <cmath>

#include "muscl.hpp"
#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Euler {
  double gamma = 1.4;
  double cfl = 0.4;
};

cw::Schema<Euler> euler_schema() {
  return {cw::key("gamma", &Euler::gamma).above(1.0).about("ratio of specific heats"),
          cw::key("cfl", &Euler::cfl)
              .above(0.0)
              .maximum(1.0)
              .about("cells that the fastest wave crosses in a step, summed over the axes")};
}

/// Density, velocity along each axis, pressure; or density, momentum, energy; or fluxes of these.
/// Of a cell, or of a pack of cells.
template <int D, class Number = double>
using Gas = cw::Vector<Number, D + 2>;
template <int D>
using GasField = cw::Field<cw::Arrays<Gas<D>>, D>;
template <int D>
using GasView = cw::PackView<const cw::Arrays<Gas<D>>, D>;

template <int D, class Number>
KOKKOS_FORCEINLINE_FUNCTION Gas<D, Number> conserved(const cw::Vector<Number, D + 2>& w,
                                                     double gamma) {
  Gas<D, Number> u{};
  u[0] = w[0];
  u[D + 1] = w[D + 1] / (gamma - 1.0);
  for (int axis = 1; axis <= D; ++axis) {
    u[axis] = w[0] * w[axis];
    u[D + 1] += 0.5 * u[axis] * w[axis];
  }
  return u;
}

template <int D, class Number>
KOKKOS_FORCEINLINE_FUNCTION Gas<D, Number> primitive(const cw::Vector<Number, D + 2>& u,
                                                     double gamma) {
  Gas<D, Number> w{};
  w[0] = u[0];
  w[D + 1] = u[D + 1];
  for (int axis = 1; axis <= D; ++axis) {
    w[axis] = u[axis] / u[0];
    w[D + 1] -= 0.5 * u[axis] * w[axis];
  }
  w[D + 1] *= gamma - 1.0;
  return w;
}

template <int D, class Number>
KOKKOS_FORCEINLINE_FUNCTION Number speed_of_sound(const cw::Vector<Number, D + 2>& w,
                                                  double gamma) {
  return cw::sqrt(gamma * w[D + 1] / w[0]);
}

/// The flux across a face from the states on its sides; `n`: which number is the velocity across
/// it.
template <int D, class Number>
KOKKOS_FORCEINLINE_FUNCTION Gas<D, Number> hllc(const cw::Vector<Number, D + 2>& left,
                                                const cw::Vector<Number, D + 2>& right, int n,
                                                double gamma) {
  const Number c_left = speed_of_sound<D>(left, gamma), c_right = speed_of_sound<D>(right, gamma);
  const Number slowest = cw::min(left[n] - c_left, right[n] - c_right);
  const Number fastest = cw::max(left[n] + c_left, right[n] + c_right);
  const Number m_left = left[0] * (slowest - left[n]), m_right = right[0] * (fastest - right[n]);
  const Number contact =
      (right[D + 1] - left[D + 1] + m_left * left[n] - m_right * right[n]) / (m_left - m_right);

  const auto is_left = contact >= 0.0;
  const Gas<D, Number> w = cw::choose(is_left, left, right);
  const Gas<D, Number> u = conserved<D>(w, gamma);
  Gas<D, Number> flux = w[n] * u;
  flux[n] += w[D + 1];
  flux[D + 1] += w[n] * w[D + 1];
  const Number wave = cw::choose(is_left, slowest, fastest);
  const Number density = w[0] * (wave - w[n]) / (wave - contact);
  Gas<D, Number> between = (density / w[0]) * u;
  between[n] = density * contact;
  between[D + 1] += density * (contact - w[n]) * (contact + w[D + 1] / (w[0] * (wave - w[n])));
  const auto is_supersonic = (is_left && wave >= 0.0) || (!is_left && wave <= 0.0);
  return cw::choose(is_supersonic, flux, flux + wave * (between - u));
}

/// The state on the low (`side` -0.5) or high (0.5) face of cell `i`.
template <int D, class Point, class Cells>
KOKKOS_FORCEINLINE_FUNCTION auto at_face(const GasView<D>& w, const Point& i, int axis, double side,
                                         const Cells& cells) {
  using Number = cw::NumberAt<Point>;
  const Gas<D, Number> below = w(i.shifted(axis, -1)), above = w(i.shifted(axis, 1));
  Gas<D, Number> state = w(i);
  for (int c = 0; c < D + 2; ++c)
    state[c] +=
        side * limited_slope<Number>(state[c] - below[c], above[c] - state[c], i, axis, cells);
  return state;
}

/// What flows across the low face of a cell.
template <int D, class Cells>
struct FluxBelow {
  GasView<D> w;
  double gamma;
  Cells cells;

  template <class Point>
  KOKKOS_INLINE_FUNCTION auto operator()(const Point& i, int axis) const {
    return hllc<D>(at_face<D>(w, i.shifted(axis, -1), axis, 0.5, cells),
                   at_face<D>(w, i, axis, -0.5, cells), axis + 1, gamma);
  }
};

/// A stage of a step, of one cell.
template <int D, class Cells>
struct Advance {
  GasView<D> start, in;
  cw::PackView<cw::Arrays<Gas<D>>, D> out;
  Stage stage;
  double dt, gamma;
  Cells cells;

  template <class Point, class Flux>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, const cw::Fluxes<Flux, D>& fluxes) const {
    const Flux begun = start(i), here = in(i);
    const Flux now = conserved<D>(here, gamma) - dt * cw::divergence(fluxes, in, i, cells);
    out(i) = primitive<D>(stage.old * conserved<D>(begun, gamma) + stage.own * now, gamma);
  }
};

/// How many cells the fastest wave crosses in a unit of time.
template <int D, class Cells>
double fastest_wave(GasField<D>& gas, double gamma, const Cells& cells) {
  double fastest = 0.0;
  auto w = gas.view();
  cw::reduce(
      gas,
      KOKKOS_LAMBDA(cw::Index<D> i, double& most) {
        const Gas<D> here = w(i);
        const double sound = speed_of_sound<D>(here, gamma);
        double crossed = 0.0;
        for (int axis = 0; axis < D; ++axis)
          crossed += cw::inverse_width(w, i, axis, cells) * (std::fabs(here[axis + 1]) + sound);
        if (!(crossed <= most)) most = crossed;
      },
      cw::Max(fastest));
  return fastest;
}

template <int D, class Cells>
void flow(cw::Run& run, const Euler& physics, GasField<D>& gas, const Cells& cells) {
  GasField<D> stage = gas.like(), next = gas.like();
  const double gamma = physics.gamma;
  for (auto step : run.steps(gas).adaptive()) {
    const double dt = step.limit(physics.cfl / fastest_wave(gas, gamma, cells));
    for (const Stage& each : heun) {
      GasField<D>& from = each.at == 0.0 ? gas : stage;
      const GasView<D> start = cw::packs(gas).reading(), in = cw::packs(from).reading();
      const FluxBelow<D, Cells> flux{in, gamma, cells};
      const Advance<D, Cells> advance{start, in, cw::packs(next), each, dt, gamma, cells};
      cw::exchange(from)
          .at(step.time + each.at * dt)
          .overlap(cw::with_fluxes(cw::in_packs(flux), cw::in_packs(advance)));
      swap(stage, next);
    }
    swap(gas, stage);
  }
}

template <int D>
void euler(cw::Run& run, const Euler& physics) {
  cw::Grid<D> grid(run);
  GasField<D> gas(grid, "gas", {.halo = 2});
  run.initialize(gas);
  cw::with_cells(gas, [&](const auto& cells) { flow(run, physics, gas, cells); });
}

cw::grid::SolverEntry euler_solver() {
  return cw::Solver("euler", "flow of a gas without friction", euler_schema())
      .field("gas", {{"density", "kg/m3"}, cw::per_axis("velocity", "m/s"), {"pressure", "Pa"}})
      .default_boundary("outflow")
      .stretched_cells()
      .function(euler<1>, euler<2>, euler<3>);
}

}  // namespace pde
