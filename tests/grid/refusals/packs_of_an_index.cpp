// SPDX-License-Identifier: Apache-2.0
// says: in_packs() takes a kernel of points and of packs of them: a struct
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u"), next = u.like();
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(cw::in_packs(KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = in(i); }));
}
