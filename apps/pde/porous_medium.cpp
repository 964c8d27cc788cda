// SPDX-License-Identifier: Apache-2.0
// A gas that spreads in a porous medium, du/dt = laplacian(u^m): the more of it, the quicker, so
// that it has an edge. Steps of Crank and Nicolson (1947), each a system that isn't linear.
#include <cartwright/linear/newton/newton.hpp>
#include <cmath>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct PorousMedium {
  double exponent = 2.0;
  cw::linear::NewtonOptions newton{.tolerance = 1e-6};
};

cw::Schema<PorousMedium> porous_medium_schema() {
  return cw::Schema<PorousMedium>{cw::key("exponent", &PorousMedium::exponent)
                                      .minimum(1.0)
                                      .maximum(20.0)
                                      .about("m of u^m; 1: heat")}
      .section("newton", &PorousMedium::newton, cw::linear::newton_schema(),
               "how the next densities are found");
}

/// Called, not a part of its caller: what a compiler makes of exponent 1 is to stay vectors.
[[gnu::noinline]] KOKKOS_FUNCTION double product_of(double factor, int count) {
  double product = 1.0;
  for (int n = 0; n < count; ++n) product *= factor;
  return product;
}
/// |u|^(m - 1); where m is whole by products, as powers are two thirds of a step's time.
KOKKOS_INLINE_FUNCTION double mobility(double u, double m) {
  const double size = std::fabs(u);
  if (m == 2.0) return size;
  const int whole = static_cast<int>(m);
  return m == whole ? product_of(size, whole - 1) : std::pow(size, m - 1.0);
}
/// u^m, and what continues it below 0, where iterations may come.
KOKKOS_INLINE_FUNCTION double pressure(double u, double m) {
  return u * mobility(u, m);
}

/// Second derivative along `axis` of what is `below`, `here` and `above`.
template <int D>
KOKKOS_INLINE_FUNCTION double curvature(double below, double here, double above,
                                        const cw::FieldView<const double, D>& u,
                                        const cw::Index<D>& /*i*/, int axis,
                                        const cw::grid::EqualCells<D>& /*cells*/) {
  return u.inverse_spacing(axis) * u.inverse_spacing(axis) * (below - 2.0 * here + above);
}
template <int D>
KOKKOS_INLINE_FUNCTION double curvature(double below, double here, double above,
                                        const cw::FieldView<const double, D>& /*u*/,
                                        const cw::Index<D>& i, int axis,
                                        const cw::grid::StretchedCells<D>& cells) {
  return cells.own(i, axis) *
         (cells.above(i, axis) * (above - here) - cells.below(i, axis) * (here - below));
}

/// -half laplacian(u^m) + rate u - known: 0 for the density of the next step.
template <int D, class Cells>
struct Balance {
  double half, rate, m;
  cw::FieldView<const double, D> known;
  Cells cells;

  KOKKOS_INLINE_FUNCTION double spread(const cw::FieldView<const double, D>& u,
                                       const cw::Index<D>& i) const {
    const double here = pressure(u(i), m);
    double sum = 0.0;
    for (int axis = 0; axis < D; ++axis)
      sum += curvature(pressure(u(i.shifted(axis, -1)), m), here,
                       pressure(u(i.shifted(axis, 1)), m), u, i, axis, cells);
    return sum;
  }
  KOKKOS_INLINE_FUNCTION double operator()(const cw::FieldView<const double, D>& u,
                                           const cw::Index<D>& i) const {
    return rate * u(i) - half * spread(u, i) - known(i);
  }
};

template <int D, class Cells>
void spread(cw::Run& run, const PorousMedium& physics, cw::Field<double, D>& u,
            const Cells& cells) {
  cw::Field<double, D> known(u.typed_grid(), "known part"), speed(u.typed_grid(), "speed");
  // d(u^m)/du, but nowhere 0: where there is no gas the preconditioner needs some.
  const auto find_speed = [&](const cw::Field<double, D>& at) {
    auto in = at.view();
    auto out = speed.view();
    const double m = physics.exponent;
    cw::for_each(
        speed, KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = std::fmax(m * mobility(in(i), m), 1e-6); });
  };
  find_speed(u);
  cw::linear::Diffusion about(u, speed, {.mean = cw::linear::Mean::arithmetic});
  Balance<D, Cells> balance{0.5, 1.0, physics.exponent, known.view().reading(), cells};
  cw::linear::Newton newton(u, about, balance, physics.newton);

  for (auto step : run.steps(u)) {
    balance.rate = 1.0 / step.dt;
    auto in = u.view().reading();
    auto out = known.view();
    const Balance<D, Cells> old = balance;
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
      out(i) = old.rate * in(i) + old.half * old.spread(in, i);
    });
    about.set(balance.half, balance.rate);
    newton.solve(u, balance, step.time + step.dt, [&](const cw::Field<double, D>& now) {
      find_speed(now);
      about.set_coefficient(speed);
    });
  }
}

template <int D>
void porous_medium(cw::Run& run, const PorousMedium& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "density");
  run.initialize(u);
  cw::with_cells(u, [&](const auto& cells) { spread(run, physics, u, cells); });
}

cw::grid::SolverEntry porous_medium_solver() {
  return cw::Solver("porous_medium", "gas that spreads in a porous medium", porous_medium_schema())
      .field("density", "kg/m3")
      .stretched_cells()
      .function(porous_medium<1>, porous_medium<2>, porous_medium<3>);
}

}  // namespace pde
