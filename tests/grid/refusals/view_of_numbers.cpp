// SPDX-License-Identifier: Apache-2.0
// says: a view takes an Index: in(i), in(i.shifted(axis, n)), or in({x, y})
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto out = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<2> i) { out(i[0], i[1]) = 1.0; });
}
