// SPDX-License-Identifier: Apache-2.0
// says: a run takes fields, not views or numbers
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto in = u.view();
  for (auto step : run.steps(in)) (void)step;
}
