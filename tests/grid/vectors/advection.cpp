// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void step(cw::Field<double, 3>& u, cw::Field<double, 3>& next, double c) {
  auto in = u.view();
  auto out = next.view();
  cw::for_each(
      next, KOKKOS_LAMBDA(cw::Index<3> i) {
        out(i) = in(i)-c *
                 (cw::derivative(in, i, 0) + cw::derivative(in, i, 1) + cw::derivative(in, i, 2));
      });
}
