// SPDX-License-Identifier: Apache-2.0
// Axes that are variables, and branches: one point after the other, but in registers.
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

namespace {

KOKKOS_INLINE_FUNCTION double slope(double below, double above) {
  return below * above > 0.0 ? 2.0 * below * above / (below + above) : 0.0;
}

template <int D>
KOKKOS_INLINE_FUNCTION double carried(const cw::FieldView<double, D>& u,
                                      const cw::FieldView<cw::Vector<double, D>, D>& velocity,
                                      const cw::Index<D>& i, int axis) {
  const double v = velocity(i)[axis];
  const cw::Index<D> from = v > 0.0 ? i : i.shifted(axis, 1);
  return v * (u(from) +
              0.5 * slope(u(from) - u(from.shifted(axis, -1)), u(from.shifted(axis, 1)) - u(from)));
}

template <int D>
void step(cw::Field<double, D>& u, cw::Field<double, D>& next,
          cw::Field<cw::Vector<double, D>, D>& velocity, double c) {
  auto in = u.view();
  auto out = next.view();
  auto v = velocity.view();
  cw::exchange(u).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
    double change = 0.0;
    for (int axis = 0; axis < D; ++axis)
      change += carried(in, v, i, axis) - carried(in, v, i.shifted(axis, -1), axis);
    out(i) = in(i)-c * change;
  });
}

}  // namespace

void step_in_plane(cw::Field<double, 2>& u, cw::Field<double, 2>& next,
                   cw::Field<cw::Vector<double, 2>, 2>& velocity, double c) {
  step(u, next, velocity, c);
}
void step_in_space(cw::Field<double, 3>& u, cw::Field<double, 3>& next,
                   cw::Field<cw::Vector<double, 3>, 3>& velocity, double c) {
  step(u, next, velocity, c);
}
