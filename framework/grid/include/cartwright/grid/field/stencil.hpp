// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/space/cells.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <cartwright/grid/space/vector.hpp>

namespace cartwright::grid {

// All of these want one ghost layer, and are of second order. `cells` is what `with_cells` hands
// out; without it, all cells have to be equal. Where they are stretched, what crosses the
// boundaries between cells is the same for both, so that sums are conserved.

/// Second derivative along `axis`: three points, second order. Needs one ghost layer.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto second_derivative(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                              const EqualCells<D>& /*cells*/ = {}) {
  const double factor = u.inverse_spacing(axis) * u.inverse_spacing(axis);
  return factor * ((u(i.shifted(axis, -1)) + u(i.shifted(axis, 1))) - 2.0 * u(i));
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto second_derivative(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                              const StretchedCells<D>& cells) {
  return cells.own(i, axis) * (cells.above(i, axis) * (u(i.shifted(axis, 1)) - u(i)) -
                               cells.below(i, axis) * (u(i) - u(i.shifted(axis, -1))));
}

/// The 3-, 5- or 7-point Laplacian, second order. Needs one ghost layer (faces only). Exactly 0
/// where all points have the same value.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto laplacian(const FieldView<T, D>& u, const Index<D>& i,
                                      const EqualCells<D>& cells = {}) {
  // Of cubes: one multiplication. Neighbours are added in pairs, so that of a constant c the sum is
  // rounded as 2 D c is, and the difference 0 (and mirror images have mirrored bits).
  if (D > 1 && u.has_equal_spacings()) {
    using Scalar = typename ElementTraits<std::remove_const_t<T>>::Scalar;
    auto sum = u(i.shifted(0, -1)) + u(i.shifted(0, 1));
    for (int axis = 1; axis < D; ++axis) sum += u(i.shifted(axis, -1)) + u(i.shifted(axis, 1));
    return u.inverse_spacing(0) * u.inverse_spacing(0) * (sum - static_cast<Scalar>(2 * D) * u(i));
  }
  auto sum = second_derivative(u, i, 0, cells);
  for (int axis = 1; axis < D; ++axis) sum += second_derivative(u, i, axis, cells);
  return sum;
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto laplacian(const FieldView<T, D>& u, const Index<D>& i,
                                      const StretchedCells<D>& cells) {
  auto sum = second_derivative(u, i, 0, cells);
  for (int axis = 1; axis < D; ++axis) sum += second_derivative(u, i, axis, cells);
  return sum;
}

/// First derivative along `axis`: central, second order. Needs one ghost layer.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto derivative(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const EqualCells<D>& /*cells*/ = {}) {
  return 0.5 * u.inverse_spacing(axis) * (u(i.shifted(axis, 1)) - u(i.shifted(axis, -1)));
}
/// Of the parabola through three points.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto derivative(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const StretchedCells<D>& cells) {
  const double above = cells.above(i, axis), below = cells.below(i, axis);
  return (1.0 / (above + below)) * (above * above * (u(i.shifted(axis, 1)) - u(i)) +
                                    below * below * (u(i) - u(i.shifted(axis, -1))));
}

/// All first derivatives of a scalar field.
template <class T, int D, class Cells = EqualCells<D>>
KOKKOS_INLINE_FUNCTION Vector<double, D> gradient(const FieldView<T, D>& u, const Index<D>& i,
                                                  const Cells& cells = {}) {
  Vector<double, D> result{};
  for (int axis = 0; axis < D; ++axis) result[axis] = derivative(u, i, axis, cells);
  return result;
}

/// 1 / width of the cell around point `i` along `axis`; of nodal points, the stretch between the
/// middles of the cells beside them.
template <class T, int D>
KOKKOS_INLINE_FUNCTION double inverse_width(const FieldView<T, D>& u, const Index<D>& /*i*/,
                                            int axis, const EqualCells<D>& /*cells*/ = {}) {
  return u.inverse_spacing(axis);
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION double inverse_width(const FieldView<T, D>& /*u*/, const Index<D>& i,
                                            int axis, const StretchedCells<D>& cells) {
  return cells.own(i, axis);
}

// Between centrings. Along `axis` a nodal point i is at the low end of cell i: from the middle of
// cells to their ends one looks at the point below, from the ends to the middle at the one above.

/// (u(i) - u(below)) / spacing: of values in the middle of cells, at their low end.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto difference_below(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                             const EqualCells<D>& /*cells*/ = {}) {
  return u.inverse_spacing(axis) * (u(i) - u(i.shifted(axis, -1)));
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto difference_below(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                             const StretchedCells<D>& cells) {
  return cells.below(i, axis) * (u(i) - u(i.shifted(axis, -1)));
}
/// (u(above) - u(i)) / spacing: of values at the ends of cells, in their middle.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto difference_above(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                             const EqualCells<D>& /*cells*/ = {}) {
  return u.inverse_spacing(axis) * (u(i.shifted(axis, 1)) - u(i));
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto difference_above(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                             const StretchedCells<D>& cells) {
  return cells.above(i, axis) * (u(i.shifted(axis, 1)) - u(i));
}
/// Of values in the middle of cells, at their low end; of values at their ends, in the middle of
/// the cell below: the mean of u(i) and the value below it, where cells are equal.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto mean_below(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const EqualCells<D>& /*cells*/ = {}) {
  return 0.5 * (u(i) + u(i.shifted(axis, -1)));
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto mean_below(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const StretchedCells<D>& cells) {
  const double share = cells.share_below(i, axis);
  return share * u(i.shifted(axis, -1)) + (1.0 - share) * u(i);
}
/// The same towards the value above it.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto mean_above(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const EqualCells<D>& /*cells*/ = {}) {
  return 0.5 * (u(i) + u(i.shifted(axis, 1)));
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto mean_above(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const StretchedCells<D>& cells) {
  const double share = cells.share_below(i.shifted(axis, 1), axis);
  return share * u(i) + (1.0 - share) * u(i.shifted(axis, 1));
}
/// What flows across a face that half of cell i and half of the one below make up, as the momentum
/// of staggered grids has them: their mean, weighted by the widths of the cells. Where nothing
/// comes of the flow through cells, nothing comes of that through such halves.
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto flow_below(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const EqualCells<D>& cells = {}) {
  return mean_below(u, i, axis, cells);
}
template <class T, int D>
KOKKOS_INLINE_FUNCTION auto flow_below(const FieldView<T, D>& u, const Index<D>& i, int axis,
                                       const StretchedCells<D>& cells) {
  const double share = cells.share_below(i, axis);
  return (1.0 - share) * u(i.shifted(axis, -1)) + share * u(i);
}

// Of a field, where its view is wanted: refused in one line.
template <class, int>
class Field;
template <class T, int D>
T second_derivative(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T laplacian(const Field<T, D>&, Index<D>) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T derivative(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T difference_below(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T difference_above(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T mean_below(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T mean_above(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
double inverse_width(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
T flow_below(const Field<T, D>&, Index<D>, int) noexcept(refused::FieldInKernel<T>::value);
template <class T, int D>
Vector<T, D> gradient(const Field<T, D>&, Index<D>) noexcept(refused::FieldInKernel<T>::value);

}  // namespace cartwright::grid
