// SPDX-License-Identifier: Apache-2.0
// says: the kernel of a reduction takes a point and a reference
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto in = u.view();
  double total = 0;
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<2> i, float& sum) { sum += static_cast<float>(in(i)); },
      cw::Sum(total));
}
