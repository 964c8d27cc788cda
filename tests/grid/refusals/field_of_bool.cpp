// SPDX-License-Identifier: Apache-2.0
// says: a field holds numbers or Vector<number, N>: unsigned char in place of bool
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<bool, 2> alive(grid, "alive");
  auto out = alive.view();
  cw::exchange(alive).overlap(KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = true; });
  for (auto step : run.steps(alive)) (void)step;
}
