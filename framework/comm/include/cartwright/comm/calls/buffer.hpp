// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/device_memory.hpp>
#include <cartwright/comm/calls/pieces.hpp>
#include <cartwright/comm/calls/strided.hpp>
#include <cartwright/comm/elements/element.hpp>
#include <cstddef>
#include <ranges>
#include <type_traits>

namespace cartwright::comm {

namespace detail {

template <class B>
struct IsStrided : std::false_type {};
template <class T>
struct IsStrided<Strided<T>> : std::true_type {};
template <class B>
inline constexpr bool is_strided = IsStrided<std::remove_cvref_t<B>>::value;
template <class B>
struct IsInPieces : std::false_type {};
template <class T>
struct IsInPieces<InPieces<T>> : std::true_type {};
template <class B>
inline constexpr bool is_in_pieces = IsInPieces<std::remove_cvref_t<B>>::value;
template <class B>
struct IsOnDevice : std::false_type {};
template <class T>
struct IsOnDevice<OnDevice<T>> : std::true_type {};
template <class B>
inline constexpr bool is_on_device = IsOnDevice<std::remove_cvref_t<B>>::value;
/// Its elements don't lie one behind the other in memory of the host.
template <class B>
inline constexpr bool is_scattered = is_strided<B> || is_in_pieces<B> || is_on_device<B>;

}  // namespace detail

/// What a collective reads or writes: contiguous memory that knows its length (a span, a vector, an
/// array), `strided(…)`, `in_pieces(…)`, or `on_device(…)`.
template <class B>
concept Buffer = detail::is_scattered<B> ||
    (std::ranges::contiguous_range<B>&& std::ranges::sized_range<B>);

namespace detail {

template <class B>
struct BufferElement {
  using Type = std::remove_reference_t<std::ranges::range_reference_t<B>>;
};
template <class B>
requires is_scattered<B>
struct BufferElement<B> {
  using Type = std::remove_pointer_t<decltype(std::remove_cvref_t<B>::first)>;
};
/// With its const.
template <class B>
using QualifiedElement = typename BufferElement<B>::Type;
template <class B>
using ElementOf = std::remove_cv_t<QualifiedElement<B>>;

template <class T>
constexpr void must_be_transferable() {
  static_assert(
      Transferable<T>,
      "cartwright: elements of a collective are sent as they lie in memory, so their type "
      "must be trivially copyable");
  static_assert(!std::is_pointer_v<T>,
                "cartwright: an address means nothing on another rank: send what it points to");
}

/// The buffer is written, or used after the call has returned: it must not vanish.
template <class B>
constexpr void must_outlive_call() {
  static_assert(is_scattered<B> || std::ranges::borrowed_range<B>,
                "cartwright: this memory is a temporary: results, and all buffers of nonblocking "
                "and persistent collectives, must outlive the call");
}

/// How elements lie that don't lie one behind the other in memory of the host; none of all: they
/// do.
struct Scatter {
  Strides strides{};
  const Pieces* pieces = nullptr;
  const DeviceCopies* device = nullptr;  ///< with strides

  [[nodiscard]] explicit operator bool() const { return strides.count != 0 || pieces != nullptr; }
  [[nodiscard]] plan::Count elements() const {
    return pieces != nullptr ? pieces->elements() : strides.elements();
  }
  /// Copies the elements that lie in memory from `from` on to contiguous memory, and back.
  void pack(const std::byte* from, std::size_t element_size, std::byte* to) const {
    if (pieces != nullptr) return pieces->pack(from, element_size, to);
    if (device != nullptr) return comm::pack(from, strides, element_size, to, *device);
    comm::pack(from, strides, element_size, to);
  }
  void unpack(const std::byte* from, std::size_t element_size, std::byte* to) const {
    if (pieces != nullptr) return pieces->unpack(from, element_size, to);
    if (device != nullptr) return comm::unpack(from, strides, element_size, to, *device);
    comm::unpack(from, strides, element_size, to);
  }
};

/// A buffer without its type.
struct Memory {
  std::byte* data = nullptr;  ///< not written where it is an input
  plan::Count count = 0;
  Scatter scatter{};
};

template <class B>
[[nodiscard]] Memory input_memory(const B& buffer) {
  must_be_transferable<ElementOf<B>>();
  if constexpr (is_strided<B>) {
    auto* const first = const_cast<ElementOf<B>*>(buffer.first);
    return {reinterpret_cast<std::byte*>(first), buffer.strides.elements(), {buffer.strides}};
  } else if constexpr (is_in_pieces<B>) {
    auto* const first = const_cast<ElementOf<B>*>(buffer.first);
    return {reinterpret_cast<std::byte*>(first), buffer.pieces->elements(), {{}, buffer.pieces}};
  } else if constexpr (is_on_device<B>) {
    auto* const first = const_cast<ElementOf<B>*>(buffer.first);
    return {reinterpret_cast<std::byte*>(first),
            buffer.strides.elements(),
            {buffer.strides, nullptr, buffer.copies}};
  } else {
    auto* const first = const_cast<ElementOf<B>*>(std::ranges::data(buffer));
    return {reinterpret_cast<std::byte*>(first),
            static_cast<plan::Count>(std::ranges::size(buffer))};
  }
}

template <class B>
[[nodiscard]] Memory output_memory(B& buffer) {
  static_assert(!std::is_const_v<QualifiedElement<B>>,
                "cartwright: the result of a collective can't be written to const elements");
  return input_memory(buffer);
}

template <class A, class B>
constexpr void must_have_same_elements() {
  static_assert(std::is_same_v<ElementOf<A>, ElementOf<B>>,
                "cartwright: input and output of a collective must have elements of the same type");
}

}  // namespace detail

}  // namespace cartwright::comm
