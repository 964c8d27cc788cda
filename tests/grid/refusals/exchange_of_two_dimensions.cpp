// SPDX-License-Identifier: Apache-2.0
// says: an exchange takes fields of one grid
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> plane(run);
  cw::Grid<3> space(run);
  cw::Field<double, 2> u(plane, "u");
  cw::Field<double, 3> v(space, "v");
  cw::exchange(u, v).overlap(KOKKOS_LAMBDA(cw::Index<2>){});
}
