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
              .about("thermal diffusivity at 300 K")};
}

// What is hot conducts better.
KOKKOS_INLINE_FUNCTION double diffusivity_at(double kelvin, double at_300_kelvin) {
  return at_300_kelvin * (kelvin / 300.0) * (kelvin / 300.0);
}

template <int D>
double largest_diffusivity(const cw::Field<double, D>& u, double at_300_kelvin) {
  double result = 0.0;
  auto in = u.view();
  cw::reduce(
      u,
      KOKKOS_LAMBDA(cw::Index<D> i, double& most) {
        const double here = diffusivity_at(in(i), at_300_kelvin);
        if (here > most) most = here;
      },
      cw::Max(result));
  return result;
}

template <int D>
void heat(cw::Run& run, const Heat& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "temperature"), next = u.like();
  run.initialize(u);
  cw::Table table(run, "steps", {"time", "dt"});
  for (auto step : run.steps(u).adaptive()) {
    const double a = physics.diffusivity;
    const double most = largest_diffusivity(u, a);
    const double dt = step.limit(0.9 / (2.0 * most * grid.inverse_spacing_squared()));
    auto in = u.view();
    auto out = next.view();
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
      double gain = 0.0;
      for (int axis = 0; axis < D; ++axis) {
        const double scale = in.inverse_spacing(axis) * in.inverse_spacing(axis);
        for (const int side : {-1, 1}) {
          const double there = in(i.shifted(axis, side));
          gain += scale * diffusivity_at(0.5 * (in(i) + there), a) * (there - in(i));
        }
      }
      out(i) = in(i) + dt * gain;
    });
    swap(u, next);
    table.add(step.number, {step.time, dt});
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("heat", "heat, better conducted where it is hot", schema())
                      .field("temperature", "K")
                      .function(heat<1>, heat<2>, heat<3>)});
}
