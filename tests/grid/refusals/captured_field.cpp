// SPDX-License-Identifier: Apache-2.0
// says: kernels capture and use the view of a field, not the field: auto in = u.view(); before the
// kernel
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Field<double, 2> u(grid, "u"), next = u.like();
  auto out = next.view();
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<2> i) { out(i) = u.view()(i); });
}
