// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>
#include <string>

namespace cw = cartwright;

struct Heat {};  // the solver's parameters: none yet

// A warm plate with a hot disc in its middle.
void heat_disc(cw::Field<double, 2>& u) {
  auto out = u.view();
  auto position = u.coordinates();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<2> i) {
        const double x = position(i)[0] - 1.0;
        const double y = position(i)[1] - 0.75;
        out(i) = x * x + y * y < 0.04 ? 400.0 : 300.0;
      });
}

double hottest(const cw::Field<double, 2>& u) {
  double result = 0.0;
  auto in = u.view();
  cw::reduce(
      u,
      KOKKOS_LAMBDA(cw::Index<2> i, double& most) {
        if (in(i) > most) most = in(i);
      },
      cw::Max(result));
  return result;
}

void heat(cw::Run& run, const Heat&) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "temperature");
  heat_disc(u);
  run.runtime().log().entry("hottest", std::to_string(hottest(u)) + " K");
}

int main(int argc, char** argv) {
  return cw::run(argc, argv, {cw::Solver<Heat>("heat", "heat equation").function(nullptr, heat)});
}
