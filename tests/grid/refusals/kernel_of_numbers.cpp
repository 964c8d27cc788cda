// SPDX-License-Identifier: Apache-2.0
// says: a kernel takes one point of the field's grid: KOKKOS_LAMBDA(cw::Index<D> i)
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto out = u.view();
  cw::exchange(u).overlap(KOKKOS_LAMBDA(int x, int y) { out({x, y}) = 1.0; });
}
