// SPDX-License-Identifier: Apache-2.0
// says: a kernel captures numbers, not the grid: const double dx = grid.spacing(0); before it
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto out = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = grid.spacing(0); });
}
