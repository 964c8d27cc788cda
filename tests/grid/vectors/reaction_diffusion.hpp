// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

template <int D>
void step(cw::Field<double, D>& u, cw::Field<double, D>& v, cw::Field<double, D>& next_u,
          cw::Field<double, D>& next_v, double feed, double kill) {
  auto a = u.view(), b = v.view();
  auto next_a = next_u.view(), next_b = next_v.view();
  cw::exchange(u, v).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    const double reaction = a(i) * b(i) * b(i);
    next_a(i) = a(i) + cw::laplacian(a, i) - reaction + feed * (1.0 - a(i));
    next_b(i) = b(i) + 0.5 * cw::laplacian(b, i) + reaction - (feed + kill) * b(i);
  });
}
