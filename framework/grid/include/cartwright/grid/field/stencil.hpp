// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/space/vector.hpp>

namespace cartwright::grid {

/// Second derivative along `axis`: three points, second order. Needs one ghost layer.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto second_derivative(const FieldView<T, D>& u, const Index<D>& i,
                                              int axis) {
  const double factor = u.inverse_spacing(axis) * u.inverse_spacing(axis);
  return factor * ((u(i.shifted(axis, -1)) + u(i.shifted(axis, 1))) - 2.0 * u(i));
}

/// The 3-, 5- or 7-point Laplacian, second order. Needs one ghost layer (faces only).
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto laplacian(const FieldView<T, D>& u, const Index<D>& i) {
  auto sum = second_derivative(u, i, 0);
  for (int axis = 1; axis < D; ++axis) sum += second_derivative(u, i, axis);
  return sum;
}

/// First derivative along `axis`: central, second order. Needs one ghost layer.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto derivative(const FieldView<T, D>& u, const Index<D>& i, int axis) {
  return 0.5 * u.inverse_spacing(axis) * (u(i.shifted(axis, 1)) - u(i.shifted(axis, -1)));
}

/// All first derivatives of a scalar field.
template <class T, int D>
KOKKOS_INLINE_FUNCTION Vector<double, D> gradient(const FieldView<T, D>& u, const Index<D>& i) {
  Vector<double, D> result{};
  for (int axis = 0; axis < D; ++axis) result[axis] = derivative(u, i, axis);
  return result;
}

}  // namespace cartwright::grid
