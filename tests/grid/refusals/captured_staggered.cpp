// SPDX-License-Identifier: Apache-2.0
// says: kernels capture and use the view of a field, not the field: auto in = u.view(); before the
// kernel
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void solve(cw::Run& run) {
  cw::Grid<2> grid(run);
  cw::Staggered<double, 2> u(grid, "u");
  cw::for_each(
      u[0], KOKKOS_LAMBDA(cw::Index<2> i) { (void)u[0].view()(i); });
}
