// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/space/crossing.hpp>
#include <cstddef>

namespace cartwright::grid {

// Copies of whole elements, or of some of their components, one after the other.

template <class View, int D>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto& component_at(const View& view, const Index<D>& i,
                                                             int c) {
  if constexpr (requires { view.component(i, c); })
    return view.component(i, c);
  else
    return component_of(view(i), c);
}

/// Copies the points of `box` to consecutive bytes, x fastest.
template <class T, int D>
void pack(const FieldView<const T, D>& from, const Box<D>& box, Components which, std::byte* to) {
  if (which == all_components) return pack<T, D>(from, box, reinterpret_cast<ElementOf<T>*>(to));
  auto* next = reinterpret_cast<typename ElementTraits<T>::Scalar*>(to);
  const Box<D> range = box;
  for (; which != 0; which &= which - 1, next += box.size()) {
    const int c = std::countr_zero(which);
    for_each_point<D>(
        box,
        KOKKOS_LAMBDA(const Index<D>& i) { next[number_of(range, i)] = component_at(from, i, c); });
  }
}

/// The inverse of `pack`.
template <class T, int D>
void unpack(const std::byte* from, const Box<D>& box, Components which, const FieldView<T, D>& to) {
  if (which == all_components)
    return unpack<T, D>(reinterpret_cast<const ElementOf<T>*>(from), box, to);
  const auto* next = reinterpret_cast<const typename ElementTraits<T>::Scalar*>(from);
  const Box<D> range = box;
  for (; which != 0; which &= which - 1, next += box.size()) {
    const int c = std::countr_zero(which);
    for_each_point<D>(
        box,
        KOKKOS_LAMBDA(const Index<D>& i) { component_at(to, i, c) = next[number_of(range, i)]; });
  }
}

/// Copies `from` to `to`, boxes of the same extents in two fields, or in one.
template <class T, int D>
void copy_between(const FieldView<const T, D>& source, const Box<D>& from, Components which,
                  const FieldView<T, D>& target, const Box<D>& to) {
  if (which == all_components) return copy_between<T, D>(source, from, target, to);
  Index<D> shift{};
  for (int axis = 0; axis < D; ++axis) shift[axis] = from.lower[axis] - to.lower[axis];
  for (; which != 0; which &= which - 1) {
    const int c = std::countr_zero(which);
    for_each_point<D>(
        to, KOKKOS_LAMBDA(const Index<D>& i) {
          Index<D> at = i;
          for (int axis = 0; axis < D; ++axis) at[axis] += shift[axis];
          component_at(target, i, c) = component_at(source, at, c);
        });
  }
}

}  // namespace cartwright::grid
