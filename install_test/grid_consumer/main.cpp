// SPDX-License-Identifier: Apache-2.0
// A field that keeps what it was given, for as many steps as the deck says.
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Rest {
  double amplitude = 1.0;
};

static cw::Schema<Rest> schema() {
  return {cw::key("amplitude", &Rest::amplitude).about("factor of every step")};
}

template <int D>
void rest(cw::Run& run, const Rest& physics) {
  cw::Grid<D> grid(run);
  cw::Field<double, D> u(grid, "value"), next = u.like();
  run.initialize(u);
  for (auto step : run.steps(u)) {
    (void)step;
    auto in = u.view();
    auto out = next.view();
    const double a = physics.amplitude;
    cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) { out(i) = a * in(i); });
    swap(u, next);
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("rest", "nothing happens", schema())
                      .field("value", "1")
                      .function(rest<1>, rest<2>, rest<3>)});
}
