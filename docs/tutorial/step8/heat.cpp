// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>
#include <cartwright/linear/solver.hpp>

namespace cw = cartwright;

struct Heat {
  double diffusivity = 1.0e-4;
  cw::linear::Options linear;
};

cw::Schema<Heat> schema() {
  return cw::Schema<Heat>{cw::key("diffusivity", &Heat::diffusivity)
                              .unit("m2/s")
                              .above(0.0)
                              .about("thermal diffusivity")}
      .section("linear", &Heat::linear, cw::linear::schema(), "how each step's system is solved");
}

template <int D>
void heat(cw::Run& run, const Heat& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "temperature"), next = u.like();
  run.initialize(u);
  auto steps = run.steps(u);
  // next - dt a laplacian(next) = u
  const double factor = steps.dt() * physics.diffusivity;
  cw::linear::Diffusion operation(u, {.factor = factor, .reaction = 1.0});
  cw::linear::Solver solver(operation, physics.linear);
  for (auto step : steps) {
    auto from = u.view();
    auto to = next.view();
    cw::for_each(
        u, KOKKOS_LAMBDA(cw::Index<D> i) { to(i) = from(i); });  // the first guess
    solver.solve(next, u, step.time + step.dt);
    swap(u, next);
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("heat", "heat equation, implicit", schema())
                      .field("temperature", "K")
                      .function(heat<1>, heat<2>, heat<3>)});
}
