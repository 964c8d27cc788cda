// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void step(cw::Field<double, 3>& u, cw::Field<double, 3>& next, double c) {
  auto in = u.view();
  auto out = next.view();
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<3> i) { out(i) = in(i) + c * cw::laplacian(in, i); });
}
