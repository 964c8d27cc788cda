// SPDX-License-Identifier: Apache-2.0
// says: an exchange takes fields of one grid
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto in = u.view();
  cw::exchange(in).wait();
}
