// SPDX-License-Identifier: Apache-2.0
// says: a kernel can't be mutable
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto out = u.view();
  int count = 0;
  cw::for_each(u, [=](cw::Index<2> i) mutable { out(i) = ++count; });
}
