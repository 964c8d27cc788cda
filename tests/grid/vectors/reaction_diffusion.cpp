// SPDX-License-Identifier: Apache-2.0
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

void step(cw::Field<double, 2>& u, cw::Field<double, 2>& v, cw::Field<double, 2>& next_u,
          cw::Field<double, 2>& next_v, double feed, double kill) {
  auto a = u.view(), b = v.view();
  auto next_a = next_u.view(), next_b = next_v.view();
  cw::exchange(u, v).overlap(KOKKOS_LAMBDA(cw::Index<2> i) {
    const double reaction = a(i) * b(i) * b(i);
    next_a(i) = a(i) + cw::laplacian(a, i) - reaction + feed * (1.0 - a(i));
    next_b(i) = b(i) + 0.5 * cw::laplacian(b, i) + reaction - (feed + kill) * b(i);
  });
}
