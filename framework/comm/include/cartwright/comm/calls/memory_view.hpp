// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/strided.hpp>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace cartwright::comm {

/// What knows its memory by an extent and a stride (in elements) along each axis: a view of
/// Kokkos's, for instance, which this floor needn't know.
template <class V>
concept MemoryView = requires(const V& view) {
  requires std::is_pointer_v<decltype(view.data())>;
  { view.extent(0) } -> std::convertible_to<std::size_t>;
  { view.stride(0) } -> std::convertible_to<std::size_t>;
  requires static_cast<int>(V::rank) >= 1;
};

/// The elements of axes with these extents and strides, in the order of memory. Throws
/// internal_failure where they aren't equal blocks at equal distances: a part of a volume, for
/// instance, whose planes and rows both have gaps.
[[nodiscard]] Strides strides_of_axes(std::span<const plan::Count> extents,
                                      std::span<const plan::Count> strides);

/// A view as a Buffer: its elements in the order of memory, whatever its layout. In memory that
/// this processor can reach (Kokkos::HostSpace), since ranks of a node copy it by themselves; of
/// what lies on a device: `on_device(in_view(view), copies)`.
template <MemoryView V>
[[nodiscard]] auto in_view(const V& view) {
  constexpr auto rank = static_cast<std::size_t>(V::rank);
  std::vector<plan::Count> extents, strides;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    extents.push_back(static_cast<plan::Count>(view.extent(axis)));
    strides.push_back(static_cast<plan::Count>(view.stride(axis)));
  }
  using Value = std::remove_pointer_t<decltype(view.data())>;
  return Strided<Value>{view.data(), strides_of_axes(extents, strides)};
}

}  // namespace cartwright::comm
