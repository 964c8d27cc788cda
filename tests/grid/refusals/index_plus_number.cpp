// SPDX-License-Identifier: Apache-2.0
// says: the point n further along an axis is i.shifted(axis, n)
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<1> grid(run);
  cw::Field<double, 1> u(grid, "u"), next = u.like();
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<1> i) { out(i) = in(i + 1) - in(i - 1); });
}
