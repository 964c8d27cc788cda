// SPDX-License-Identifier: Apache-2.0
// says: grids have 1, 2 or 3 dimensions
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<4> grid(run);
  cw::Field<double, 4> u(grid, "u");
}
