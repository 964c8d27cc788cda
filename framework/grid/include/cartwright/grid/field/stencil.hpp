// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/pack.hpp>
#include <cartwright/grid/space/cells.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <type_traits>

namespace cartwright::grid {

// All of these want one ghost layer, and are of second order. `u` is a field's view, `i` a point;
// or, in kernels that run in_packs(), what packs() gives, and a pack of points. `cells` is what
// `with_cells` hands out; without it, all cells have to be equal. Where they are stretched, what
// crosses the boundaries between cells is the same for both, so that sums are conserved.

/// Points of which a view knows the values, or packs of such.
template <class Point, class View>
concept PointOf = requires(const View& u) {
  u.has_equal_spacings();
  requires DimensionsOf<std::remove_cvref_t<Point>>::value == View::dimensions;
};
template <class View>
using EqualCellsOf = EqualCells<View::dimensions>;
template <class View>
using StretchedCellsOf = StretchedCells<View::dimensions>;

/// What is there: of a pack of points, a pack.
template <class View, PointOf<View> Point>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) value_at(const View& u, const Point& i) {
  if constexpr (std::is_same_v<Point, Index<View::dimensions>>)
    return u(i);
  else
    return ValueAt<typename View::Element, Point>(u(i));
}
template <class View, PointOf<View> Point>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) value_below(const View& u, const Point& i, int axis) {
  return value_at(u, i.shifted(axis, -1));
}
template <class View, PointOf<View> Point>
KOKKOS_FORCEINLINE_FUNCTION decltype(auto) value_above(const View& u, const Point& i, int axis) {
  return value_at(u, i.shifted(axis, 1));
}

/// Second derivative along `axis`: three points, second order. Needs one ghost layer.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto second_derivative(const View& u, const Point& i, int axis,
                                              const EqualCellsOf<View>& /*cells*/ = {}) {
  const double factor = u.inverse_spacing(axis) * u.inverse_spacing(axis);
  return factor * ((value_below(u, i, axis) + value_above(u, i, axis)) - 2.0 * value_at(u, i));
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto second_derivative(const View& u, const Point& i, int axis,
                                              const StretchedCellsOf<View>& cells) {
  return cells.own(i, axis) * (cells.above(i, axis) * (value_above(u, i, axis) - value_at(u, i)) -
                               cells.below(i, axis) * (value_at(u, i) - value_below(u, i, axis)));
}

/// Over all axes.
template <class View, PointOf<View> Point, class Cells>
KOKKOS_INLINE_FUNCTION auto sum_of_second_derivatives(const View& u, const Point& i,
                                                      const Cells& cells) {
  auto sum = second_derivative(u, i, 0, cells);
  for (int axis = 1; axis < View::dimensions; ++axis) sum += second_derivative(u, i, axis, cells);
  return sum;
}

/// The 3-, 5- or 7-point Laplacian, second order. Needs one ghost layer (faces only). Exactly 0
/// where all points have the same value.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto laplacian(const View& u, const Point& i,
                                      const EqualCellsOf<View>& cells = {}) {
  constexpr int D = View::dimensions;
  // Of cubes: one multiplication. Neighbours are added in pairs, so that of a constant c the sum is
  // rounded as 2 D c is, and the difference 0 (and mirror images have mirrored bits).
  if (D > 1 && u.has_equal_spacings()) {
    using Scalar = typename ElementTraits<typename View::Element>::Scalar;
    auto sum = value_below(u, i, 0) + value_above(u, i, 0);
    for (int axis = 1; axis < D; ++axis) sum += value_below(u, i, axis) + value_above(u, i, axis);
    return u.inverse_spacing(0) * u.inverse_spacing(0) *
           (sum - static_cast<Scalar>(2 * D) * value_at(u, i));
  }
  return sum_of_second_derivatives(u, i, cells);
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto laplacian(const View& u, const Point& i,
                                      const StretchedCellsOf<View>& cells) {
  return sum_of_second_derivatives(u, i, cells);
}

/// First derivative along `axis`: central, second order. Needs one ghost layer.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto derivative(const View& u, const Point& i, int axis,
                                       const EqualCellsOf<View>& /*cells*/ = {}) {
  return 0.5 * u.inverse_spacing(axis) * (value_above(u, i, axis) - value_below(u, i, axis));
}
/// Of the parabola through three points.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto derivative(const View& u, const Point& i, int axis,
                                       const StretchedCellsOf<View>& cells) {
  const auto above = cells.above(i, axis), below = cells.below(i, axis);
  return (1.0 / (above + below)) * (above * above * (value_above(u, i, axis) - value_at(u, i)) +
                                    below * below * (value_at(u, i) - value_below(u, i, axis)));
}

/// All first derivatives of a scalar field.
template <class View, PointOf<View> Point, class Cells = EqualCellsOf<View>>
KOKKOS_INLINE_FUNCTION auto gradient(const View& u, const Point& i, const Cells& cells = {}) {
  Vector<NumberAt<Point>, View::dimensions> result{};
  for (int axis = 0; axis < View::dimensions; ++axis) result[axis] = derivative(u, i, axis, cells);
  return result;
}

/// 1 / width of the cell around point `i` along `axis`; of nodal points, the stretch between the
/// middles of the cells beside them.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION double inverse_width(const View& u, const Point& /*i*/, int axis,
                                            const EqualCellsOf<View>& /*cells*/ = {}) {
  return u.inverse_spacing(axis);
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto inverse_width(const View& /*u*/, const Point& i, int axis,
                                          const StretchedCellsOf<View>& cells) {
  return cells.own(i, axis);
}

// Between centrings. Along `axis` a nodal point i is at the low end of cell i: from the middle of
// cells to their ends one looks at the point below, from the ends to the middle at the one above.

/// (u(i) - u(below)) / spacing: of values in the middle of cells, at their low end.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto difference_below(const View& u, const Point& i, int axis,
                                             const EqualCellsOf<View>& /*cells*/ = {}) {
  return u.inverse_spacing(axis) * (value_at(u, i) - value_below(u, i, axis));
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto difference_below(const View& u, const Point& i, int axis,
                                             const StretchedCellsOf<View>& cells) {
  return cells.below(i, axis) * (value_at(u, i) - value_below(u, i, axis));
}
/// (u(above) - u(i)) / spacing: of values at the ends of cells, in their middle.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto difference_above(const View& u, const Point& i, int axis,
                                             const EqualCellsOf<View>& /*cells*/ = {}) {
  return u.inverse_spacing(axis) * (value_above(u, i, axis) - value_at(u, i));
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto difference_above(const View& u, const Point& i, int axis,
                                             const StretchedCellsOf<View>& cells) {
  return cells.above(i, axis) * (value_above(u, i, axis) - value_at(u, i));
}
/// Of values in the middle of cells, at their low end; of values at their ends, in the middle of
/// the cell below: the mean of u(i) and the value below it, where cells are equal.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto mean_below(const View& u, const Point& i, int axis,
                                       const EqualCellsOf<View>& /*cells*/ = {}) {
  return 0.5 * (value_at(u, i) + value_below(u, i, axis));
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto mean_below(const View& u, const Point& i, int axis,
                                       const StretchedCellsOf<View>& cells) {
  const auto share = cells.share_below(i, axis);
  return share * value_below(u, i, axis) + (1.0 - share) * value_at(u, i);
}
/// The same towards the value above it.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto mean_above(const View& u, const Point& i, int axis,
                                       const EqualCellsOf<View>& /*cells*/ = {}) {
  return 0.5 * (value_at(u, i) + value_above(u, i, axis));
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto mean_above(const View& u, const Point& i, int axis,
                                       const StretchedCellsOf<View>& cells) {
  const auto share = cells.share_below(i.shifted(axis, 1), axis);
  return share * value_at(u, i) + (1.0 - share) * value_above(u, i, axis);
}
/// What flows across a face that half of cell i and half of the one below make up, as the momentum
/// of staggered grids has them: their mean, weighted by the widths of the cells. Where nothing
/// comes of the flow through cells, nothing comes of that through such halves.
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto flow_below(const View& u, const Point& i, int axis,
                                       const EqualCellsOf<View>& cells = {}) {
  return mean_below(u, i, axis, cells);
}
template <class View, PointOf<View> Point>
KOKKOS_INLINE_FUNCTION auto flow_below(const View& u, const Point& i, int axis,
                                       const StretchedCellsOf<View>& cells) {
  const auto share = cells.share_below(i, axis);
  return (1.0 - share) * value_below(u, i, axis) + share * value_at(u, i);
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
