// SPDX-License-Identifier: Apache-2.0
// says: a kernel captures a number, not the Scalar: const double r = rho; before it
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  cw::Scalar rho(run, "rho");
  auto out = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<2> i) { out(i) *= rho; });
}
