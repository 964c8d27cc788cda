// SPDX-License-Identifier: Apache-2.0
// says: a kernel takes one point of the field's grid: KOKKOS_LAMBDA(cw::Index<D> i)
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u");
  cw::for_each(u, KOKKOS_LAMBDA(cw::Index<3>){});
}
