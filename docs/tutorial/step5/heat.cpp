// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Heat {
  double diffusivity = 1.0e-4;
};

cw::Schema<Heat> schema() {
  return {cw::key("diffusivity", &Heat::diffusivity)
              .unit("m2/s")
              .above(0.0)
              .about("thermal diffusivity")};
}

template <int D>
void heat(cw::Run& run, const Heat& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "temperature"), next = u.like();
  run.initialize(u);
  auto steps = run.steps(u);
  steps.stable_below(1.0 / (2.0 * physics.diffusivity * grid.inverse_spacing_squared()),
                     "explicit diffusion");
  for (auto step : steps) {
    auto in = u.view();
    auto out = next.view();
    const double c = physics.diffusivity * step.dt;
    cw::exchange(u).overlap(
        KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = in(i) + c * cw::laplacian(in, i); });
    swap(u, next);
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("heat", "heat equation", schema())
                      .field("temperature", "K")
                      .function(heat<1>, heat<2>, heat<3>)});
}
