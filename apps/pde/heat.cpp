// SPDX-License-Identifier: Apache-2.0
// The heat equation, du/dt = a (d²u/dx² + d²u/dy² + d²u/dz²): explicit Euler steps, second order in
// space.
#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Heat {
  double diffusivity = 1.0;
};

cw::Schema<Heat> heat_schema() {
  return {cw::key("diffusivity", &Heat::diffusivity)
              .unit("m2/s")
              .above(0.0)
              .about("thermal diffusivity")};
}

template <int D, class Cells>
void diffuse(cw::Field<double, D>& u, cw::Field<double, D>& next, double c, const Cells& cells) {
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = in(i) + c * cw::laplacian(in, i, cells); });
}

template <int D>
void heat(cw::Run& run, const Heat& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "temperature"), next = u.like();
  run.initialize(u);

  auto steps = run.steps(u);
  const double rate = physics.diffusivity * grid.inverse_spacing_squared();
  steps.stable_below(1.0 / (2.0 * rate), "explicit diffusion");
  for (auto step : steps) {
    const double c = physics.diffusivity * step.dt;
    cw::with_cells(u, [&](const auto& cells) { diffuse(u, next, c, cells); });
    swap(u, next);
  }
}

cw::grid::SolverEntry heat_solver() {
  return cw::Solver("heat", "explicit heat equation", heat_schema())
      .field("temperature", "K")
      .stretched_cells()
      .function(heat<1>, heat<2>, heat<3>);
}

}  // namespace pde
