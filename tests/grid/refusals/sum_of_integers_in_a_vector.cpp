// SPDX-License-Identifier: Apache-2.0
// says: reduce to a number; Sum also takes Vector<double, N>
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto in = u.view();
  cw::Vector<int, 2> counts{};
  cw::reduce(
      u, KOKKOS_LAMBDA(cw::Index<2> i, cw::Vector<int, 2> & sum) { sum[in(i) > 0.0 ? 1 : 0] += 1; },
      cw::Sum(counts));
}
