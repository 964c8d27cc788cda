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
template <int D>
using Gas = cw::Vector<double, D + 2>;

template <int D>
KOKKOS_FORCEINLINE_FUNCTION Gas<D> conserved(const Gas<D>& w, double gamma) {
  Gas<D> u{};
  u[0] = w[0];
  u[D + 1] = w[D + 1] / (gamma - 1.0);
  for (int axis = 1; axis <= D; ++axis) {
    u[axis] = w[0] * w[axis];
    u[D + 1] += 0.5 * u[axis] * w[axis];
  }
  return u;
}

template <int D>
KOKKOS_FORCEINLINE_FUNCTION Gas<D> primitive(const Gas<D>& u, double gamma) {
  Gas<D> w{};
  w[0] = u[0];
  w[D + 1] = u[D + 1];
  for (int axis = 1; axis <= D; ++axis) {
    w[axis] = u[axis] / u[0];
    w[D + 1] -= 0.5 * u[axis] * w[axis];
  }
  w[D + 1] *= gamma - 1.0;
  return w;
}

template <int D>
KOKKOS_FORCEINLINE_FUNCTION double speed_of_sound(const Gas<D>& w, double gamma) {
  return std::sqrt(gamma * w[D + 1] / w[0]);
}

/// The flux across a face from the states on its sides; `n`: which number is the velocity across
/// it.
template <int D>
KOKKOS_FORCEINLINE_FUNCTION Gas<D> hllc(const Gas<D>& left, const Gas<D>& right, int n,
                                        double gamma) {
  const double c_left = speed_of_sound<D>(left, gamma), c_right = speed_of_sound<D>(right, gamma);
  const double slowest = std::fmin(left[n] - c_left, right[n] - c_right);
  const double fastest = std::fmax(left[n] + c_left, right[n] + c_right);
  const double m_left = left[0] * (slowest - left[n]), m_right = right[0] * (fastest - right[n]);
  const double contact =
      (right[D + 1] - left[D + 1] + m_left * left[n] - m_right * right[n]) / (m_left - m_right);

  const bool from_left = contact >= 0.0;
  const Gas<D> w = from_left ? left : right;
  const Gas<D> u = conserved<D>(w, gamma);
  Gas<D> flux = w[n] * u;
  flux[n] += w[D + 1];
  flux[D + 1] += w[n] * w[D + 1];
  const double wave = from_left ? slowest : fastest;
  if (from_left ? wave >= 0.0 : wave <= 0.0) return flux;  // supersonic
  const double density = w[0] * (wave - w[n]) / (wave - contact);
  Gas<D> between = (density / w[0]) * u;
  between[n] = density * contact;
  between[D + 1] += density * (contact - w[n]) * (contact + w[D + 1] / (w[0] * (wave - w[n])));
  return flux + wave * (between - u);
}

/// The state on the low (`side` -0.5) or high (0.5) face of cell `i`.
template <int D, class Cells>
KOKKOS_FORCEINLINE_FUNCTION Gas<D> at_face(const cw::FieldView<Gas<D>, D>& w, const cw::Index<D>& i,
                                           int axis, double side, const Cells& cells) {
  const Gas<D> below = w(i.shifted(axis, -1)), above = w(i.shifted(axis, 1));
  Gas<D> state = w(i);
  for (int c = 0; c < D + 2; ++c)
    state[c] += side * limited_slope(state[c] - below[c], above[c] - state[c], i, axis, cells);
  return state;
}

/// What cell `i` gains in a unit of time, of all that is conserved.
template <int D, class Cells>
KOKKOS_FORCEINLINE_FUNCTION Gas<D> gain(const cw::FieldView<Gas<D>, D>& w, const cw::Index<D>& i,
                                        double gamma, const Cells& cells) {
  Gas<D> sum{};
#pragma GCC unroll 3  // so that the compiler knows which number is which
  for (int axis = 0; axis < D; ++axis) {
    const cw::Index<D> low = i.shifted(axis, -1), high = i.shifted(axis, 1);
    const Gas<D> in = hllc<D>(at_face(w, low, axis, 0.5, cells), at_face(w, i, axis, -0.5, cells),
                              axis + 1, gamma);
    const Gas<D> out = hllc<D>(at_face(w, i, axis, 0.5, cells), at_face(w, high, axis, -0.5, cells),
                               axis + 1, gamma);
    sum += cw::inverse_width(w, i, axis, cells) * (in - out);
  }
  return sum;
}

/// How many cells the fastest wave crosses in a unit of time.
template <int D, class Cells>
double fastest_wave(cw::Field<Gas<D>, D>& gas, double gamma, const Cells& cells) {
  double fastest = 0.0;
  auto w = gas.view();
  cw::reduce(
      gas,
      KOKKOS_LAMBDA(cw::Index<D> i, double& most) {
        double crossed = 0.0;
        for (int axis = 0; axis < D; ++axis)
          crossed += cw::inverse_width(w, i, axis, cells) *
                     (std::fabs(w(i)[axis + 1]) + speed_of_sound<D>(w(i), gamma));
        if (!(crossed <= most)) most = crossed;
      },
      cw::Max(fastest));
  return fastest;
}

template <int D, class Cells>
void flow(cw::Run& run, const Euler& physics, cw::Field<Gas<D>, D>& gas, const Cells& cells) {
  cw::Field<Gas<D>, D> stage = gas.like(), next = gas.like();
  for (auto step : run.steps(gas).adaptive()) {
    const double gamma = physics.gamma;
    const double dt = step.limit(physics.cfl / fastest_wave(gas, gamma, cells));
    auto start = gas.view();
    for (const Stage& each : heun) {
      cw::Field<Gas<D>, D>& from = each.at == 0.0 ? gas : stage;
      auto in = from.view();
      auto out = next.view();
      const double old = each.old, own = each.own;
      cw::exchange(from).at(step.time + each.at * dt).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
        const Gas<D> now = conserved<D>(in(i), gamma) + dt * gain(in, i, gamma, cells);
        out(i) = primitive<D>(old * conserved<D>(start(i), gamma) + own * now, gamma);
      });
      swap(stage, next);
    }
    swap(gas, stage);
  }
}

template <int D>
void euler(cw::Run& run, const Euler& physics) {
  cw::Grid<D> grid(run);
  cw::Field<Gas<D>, D> gas(grid, "gas", {.halo = 2});
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
