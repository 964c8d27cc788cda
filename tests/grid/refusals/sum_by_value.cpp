// SPDX-License-Identifier: Apache-2.0
// says: the kernel of a reduction gets a reference: double& total
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  auto in = u.view();
  double total = 0;
  cw::reduce(
      u, KOKKOS_LAMBDA(cw::Index<2> i, double sum) { sum += in(i); }, cw::Sum(total));
}
