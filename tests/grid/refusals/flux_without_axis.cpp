// SPDX-License-Identifier: Apache-2.0
// says: the first kernel of with_fluxes takes a point of the field's grid and an axis
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u"), next = u.like();
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(cw::with_fluxes(
      KOKKOS_LAMBDA(cw::Index<2> i) { return in(i); },
      KOKKOS_LAMBDA(cw::Index<2> i, const cw::Fluxes<double, 2>& flux) {
        out(i) = cw::divergence(flux, in, i);
      }));
}
