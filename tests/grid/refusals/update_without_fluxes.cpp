// SPDX-License-Identifier: Apache-2.0
// says: the second kernel of with_fluxes takes a point and its fluxes, of the type that the first
// one
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u"), next = u.like();
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(cw::with_fluxes(
      KOKKOS_LAMBDA(cw::Index<2> i, int axis) { return in(i)-in(i.shifted(axis, -1)); },
      KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = in(i); }));
}
