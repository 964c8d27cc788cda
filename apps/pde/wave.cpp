// SPDX-License-Identifier: Apache-2.0
// The wave equation, d²u/dt² = c² (d²u/dx² + d²u/dy² + d²u/dz²): leapfrog, second order in space
// and time. Two fields hold the displacement now and one step before.
#include <cmath>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Wave {
  double speed = 1.0;
};

cw::Schema<Wave> wave_schema() {
  return {cw::key("speed", &Wave::speed).unit("m/s").above(0.0).about("speed of the waves")};
}

/// The step before the first one, by Taylor's formula: u(-dt) = u - dt u' + dt²/2 c² laplacian(u).
template <int D, class Cells>
void step_back(cw::Run& run, cw::Field<double, D>& u, cw::Field<double, D>& before, double dt,
               double speed, const Cells& cells) {
  cw::Field<double, D> velocity(u.typed_grid(), "velocity");
  run.initialize(u, velocity);
  auto now = u.view();
  auto rate = velocity.view();
  auto out = before.view();
  const double c = 0.5 * speed * speed * dt * dt;
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    out(i) = now(i) - dt * rate(i) + c * cw::laplacian(now, i, cells);
  });
}

/// The step before becomes the step after.
template <int D, class Cells>
void leap(cw::Field<double, D>& u, cw::Field<double, D>& before, double way, const Cells& cells) {
  auto now = u.view();
  auto other = before.view();
  const double c = way * way;
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    other(i) = 2.0 * now(i) - other(i) + c * cw::laplacian(now, i, cells);
  });
}

template <int D>
void wave(cw::Run& run, const Wave& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "displacement"), before(grid, "displacement_before");

  auto steps = run.steps(u, before);  // a restart needs both
  steps.stable_below(1.0 / (physics.speed * std::sqrt(grid.inverse_spacing_squared())), "leapfrog");
  cw::with_cells(u, [&](const auto& cells) {
    run.on_fresh_start([&] { step_back(run, u, before, steps.dt(), physics.speed, cells); });
    for (auto step : steps) {
      leap(u, before, physics.speed * step.dt, cells);
      swap(u, before);
    }
  });
}

cw::grid::SolverEntry wave_solver() {
  return cw::Solver("wave", "wave equation, leapfrog", wave_schema())
      .field("displacement", "m")
      .field("velocity", "m/s")
      .stretched_cells()
      .function(wave<1>, wave<2>, wave<3>);
}

}  // namespace pde
