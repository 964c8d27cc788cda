// SPDX-License-Identifier: Apache-2.0
// The heat equation, du/dt = a (d²u/dx² + d²u/dy² + d²u/dz²), second order in space: explicit Euler
// steps, or those of Crank and Nicolson (1947), which may be of any length.
#include <cartwright/linear/solver.hpp>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

enum class Scheme { explicit_euler, crank_nicolson };

struct Heat {
  double diffusivity = 1.0;
  Scheme scheme = Scheme::explicit_euler;
  cw::linear::Options linear{};
};

cw::Schema<Heat> heat_schema() {
  return cw::Schema<Heat>{cw::key("diffusivity", &Heat::diffusivity)
                              .unit("m2/s")
                              .above(0.0)
                              .about("thermal diffusivity"),
                          cw::key("scheme", &Heat::scheme)
                              .choices({"explicit", "crank_nicolson"})
                              .about("of first order in time, with steps that are stable; or of "
                                     "second order, with steps of any length (time.step)")}
      .section("linear", &Heat::linear, cw::linear::schema(),
               "how crank_nicolson finds the next temperatures");
}

template <int D, class Cells>
void diffuse(const cw::Step& step, cw::Field<double, D>& u, cw::Field<double, D>& next, double c,
             const Cells& cells) {
  cw::fused(
      step, u, next, KOKKOS_LAMBDA(const cw::FieldView<const double, D>& in, cw::Index<D> i) {
        return in(i) + c * cw::laplacian(in, i, cells);
      });
}

template <int D>
void explicit_steps(cw::Steps steps, cw::Field<double, D>& u, const Heat& physics) {
  cw::Field<double, D> next = u.like();
  const double rate = physics.diffusivity * u.grid().inverse_spacing_squared();
  steps.stable_below(1.0 / (2.0 * rate), "explicit diffusion");
  for (auto step : steps) {
    const double c = physics.diffusivity * step.dt;
    cw::with_cells(u, [&](const auto& cells) { diffuse(step, u, next, c, cells); });
  }
}

template <int D, class Cells>
void set_known(cw::Field<double, D>& u, cw::Field<double, D>& known, double rate, double half,
               const Cells& cells) {
  auto in = u.view();
  auto out = known.view();
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    out(i) = rate * in(i) + half * cw::laplacian(in, i, cells);
  });
}

/// next / dt - a/2 laplacian(next) = u / dt + a/2 laplacian(u)
template <int D>
void implicit_steps(cw::Steps steps, cw::Field<double, D>& u, const Heat& physics) {
  cw::Field<double, D> known(u.typed_grid(), "known part");
  cw::linear::Diffusion operation(u);
  cw::linear::Solver solver(operation, physics.linear);
  for (auto step : steps) {
    const double half = 0.5 * physics.diffusivity, rate = 1.0 / step.dt;
    cw::with_cells(u, [&](const auto& cells) { set_known(u, known, rate, half, cells); });
    operation.set(half, rate);
    solver.solve(u, known, step.time + step.dt);
  }
}

template <int D>
void heat(cw::Run& run, const Heat& physics) {
  cw::Grid<D> grid(run);
  const bool is_explicit = physics.scheme == Scheme::explicit_euler;
  cw::Field<double, D> u(grid, "temperature", {.fused = is_explicit});
  run.initialize(u);
  if (is_explicit)
    explicit_steps(run.steps(u).fused(), u, physics);
  else
    implicit_steps(run.steps(u), u, physics);
}

cw::grid::SolverEntry heat_solver() {
  return cw::Solver("heat", "heat equation, explicit or implicit", heat_schema())
      .field("temperature", "K")
      .stretched_cells()
      .function(heat<1>, heat<2>, heat<3>);
}

}  // namespace pde
