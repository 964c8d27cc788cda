// SPDX-License-Identifier: Apache-2.0
// Explicit heat equation to start from: change the parameters, the update, and the limit of the time step.
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

/// What the deck's section '@NAME@' holds.
struct @TYPE@ {
  double diffusivity = 1.0;
};

cw::Schema<@TYPE@> schema() {
  return {cw::key("diffusivity", &@TYPE@::diffusivity).unit("m2/s").above(0.0).about("thermal diffusivity")};
}

/// Solves in D dimensions: as many as the deck's grid.extent has numbers.
template <int D>
void @NAME@(cw::Run& run, const @TYPE@& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "temperature"), next = u.like();
  run.initialize(u);  // the deck's section 'initial', or a checkpoint on restart
  auto steps = run.steps(u);
  steps.stable_below(1.0 / (2.0 * physics.diffusivity * grid.inverse_spacing_squared()), "explicit diffusion");
  for (auto step : steps) {  // progress, output, checkpoints and stops happen here
    auto in = u.view();
    auto out = next.view();
    const double c = physics.diffusivity * step.dt;
    // The kernel runs on the interior while halos are on their way, then on the rest.
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = in(i) + c * cw::laplacian(in, i); });
    swap(u, next);
  }
}

// .function(…) lists what is compiled, here @DIMENSIONS@; nullptr stands for one that isn't there. In all it is
// .function(@NAME@<1>, @NAME@<2>, @NAME@<3>); each takes a few seconds of the compiler's time.
int main(int argc, char** argv) {
  return cw::run(argc, argv, {cw::Solver("@NAME@", "explicit heat equation", schema())
                                  .field("temperature", "K")
                                  .function(@FUNCTIONS@)});
}
