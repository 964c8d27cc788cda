// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/arrays_view.hpp>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <cstdint>
#include <cstring>
#include <span>

namespace cartwright::grid {

template <class T>
[[nodiscard]] constexpr ScalarType scalar_type() {
  if constexpr (std::is_same_v<T, bool>)
    return ScalarType::boolean;
  else if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? ScalarType::float32 : ScalarType::float64;
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 1   ? ScalarType::int8
           : sizeof(T) == 2 ? ScalarType::int16
           : sizeof(T) == 4 ? ScalarType::int32
                            : ScalarType::int64;
  else
    return sizeof(T) == 1   ? ScalarType::uint8
           : sizeof(T) == 2 ? ScalarType::uint16
           : sizeof(T) == 4 ? ScalarType::uint32
                            : ScalarType::uint64;
}

template <class T>
[[nodiscard]] constexpr ElementType element_type() {
  using Scalar = typename ElementTraits<T>::Scalar;
  return {scalar_type<Scalar>(), ElementTraits<T>::components};
}

template <class T, int D>
void set_all(const FieldView<T, D>& field, const Box<D>& box, const ElementOf<T>& value) {
  const ElementOf<T> element = value;
  for_each_point<D>(
      box, KOKKOS_LAMBDA(const Index<D>& i) { field(i) = element; });
}

/// Copies the points of `box` to consecutive elements, x fastest.
template <class T, int D>
void pack(const FieldView<const T, D>& from, const Box<D>& box, ElementOf<T>* to) {
  const Box<D> range = box;
  for_each_point<D>(
      box, KOKKOS_LAMBDA(const Index<D>& i) { to[number_of(range, i)] = from(i); });
}

/// The inverse of `pack`.
template <class T, int D>
void unpack(const ElementOf<T>* from, const Box<D>& box, const FieldView<T, D>& to) {
  const Box<D> range = box;
  for_each_point<D>(
      box, KOKKOS_LAMBDA(const Index<D>& i) { to(i) = from[number_of(range, i)]; });
}

/// Copies `from` to `to`, boxes of the same extents in two fields, or in one.
template <class T, int D>
void copy_between(const FieldView<const T, D>& source, const Box<D>& from,
                  const FieldView<T, D>& target, const Box<D>& to) {
  Index<D> shift{};
  for (int axis = 0; axis < D; ++axis) shift[axis] = from.lower[axis] - to.lower[axis];
  for_each_point<D>(
      to, KOKKOS_LAMBDA(const Index<D>& i) {
        Index<D> at = i;
        for (int axis = 0; axis < D; ++axis) at[axis] += shift[axis];
        target(i) = source(at);
      });
}

/// Copies `count` components from `first` on of the points of `box`, those of a point together.
template <class T, int D>
void pack_components(const FieldView<const T, D>& from, const Box<D>& box, int first, int count,
                     typename ElementTraits<T>::Scalar* to) {
  const Box<D> range = box;
  for_each_point<D>(
      box, KOKKOS_LAMBDA(const Index<D>& i) {
        const ElementOf<T> element = from(i);
        for (int c = 0; c < count; ++c)
          to[number_of(range, i) * count + c] = component_of(element, first + c);
      });
}

/// To host bytes: what `fill(numbers)` writes to `count` numbers where kernels run.
template <class Number, class Fill>
void copy_filled(long long count, std::span<std::byte> bytes, const Fill& fill) {
  const auto size = static_cast<std::size_t>(count) * sizeof(Number);
  if constexpr (kernels_run_on_host) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Number) == 0)
      return fill(reinterpret_cast<Number*>(bytes.data()));
  }
  const Kokkos::View<Number*, Memory> packed(
      Kokkos::view_alloc("cartwright::copy", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(count));
  fill(packed.data());
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), packed);
  std::memcpy(bytes.data(), host.data(), size);
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): it doesn't follow a view's counter
}

/// To host bytes, for files.
template <class T, int D>
void copy_out(const FieldView<const T, D>& from, const Box<D>& box, std::span<std::byte> bytes) {
  if (box.empty()) return;
  copy_filled<ElementOf<T>>(box.size(), bytes,
                            [&](ElementOf<T>* to) { pack<T, D>(from, box, to); });
}
/// The same of `count` components from `first` on.
template <class T, int D>
void copy_out(const FieldView<const T, D>& from, const Box<D>& box, int first, int count,
              std::span<std::byte> bytes) {
  using Scalar = typename ElementTraits<T>::Scalar;
  if (box.empty()) return;
  copy_filled<Scalar>(count * box.size(), bytes,
                      [&](Scalar* to) { pack_components<T, D>(from, box, first, count, to); });
}

template <class T, int D>
void copy_in(const FieldView<T, D>& to, const Box<D>& box, std::span<const std::byte> bytes) {
  if (box.empty()) return;
  const Kokkos::View<ElementOf<T>*, Memory> packed(
      Kokkos::view_alloc("cartwright::copy", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(box.size()));
  const auto host = Kokkos::create_mirror_view(packed);
  std::memcpy(host.data(), bytes.data(),
              static_cast<std::size_t>(box.size()) * sizeof(ElementOf<T>));
  Kokkos::deep_copy(packed, host);
  unpack<T, D>(packed.data(), box, to);
  if constexpr (!kernels_run_on_host) Execution().fence();  // `packed` ends here
}

/// The number (x fastest) of the first point of `box` with a component that isn't finite, or -1.
template <class T, int D>
[[nodiscard]] long long find_not_finite(const FieldView<const T, D>& field, const Box<D>& box) {
  long long first = box.size();
  const Box<D> range = box;
  Kokkos::parallel_reduce(
      "cartwright::finite",
      Kokkos::RangePolicy<Execution, Kokkos::IndexType<long long>>(0, box.size()),
      KOKKOS_LAMBDA(const long long number, long long& least) {
        const ElementOf<T> element = field(point_of(range, number));
        for (int c = 0; c < ElementTraits<T>::components; ++c) {
          const auto value = component_of(element, c);
          if (value - value != decltype(value)(0) && number < least) least = number;
        }
      },
      Kokkos::Min<long long>(first));
  return first < box.size() ? first : -1;
}

}  // namespace cartwright::grid
