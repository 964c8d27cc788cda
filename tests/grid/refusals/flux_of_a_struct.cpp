// SPDX-License-Identifier: Apache-2.0
// says: a flux is a number or a Vector of numbers: let the first kernel of with_fluxes return
// double
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Flow {
  double mass, heat;
};

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u"), next = u.like();
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(cw::with_fluxes(
      KOKKOS_LAMBDA(cw::Index<2> i, int) {
        return Flow{in(i), in(i)};
      },
      KOKKOS_LAMBDA(cw::Index<2> i, const cw::Fluxes<Flow, 2>& flux) {
        out(i) = flux.high[0].mass;
      }));
}
