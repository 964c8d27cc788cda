// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cstddef>
#include <span>

namespace cartwright::comm {

/// `count` blocks of `block` elements each, whose beginnings lie `stride` elements apart: a column
/// of a row-major matrix is {1, columns, rows}.
struct Strides {
  plan::Count block = 1;
  plan::Count stride = 1;
  plan::Count count = 0;

  [[nodiscard]] constexpr plan::Count elements() const { return block * count; }
  /// Elements of memory from the first to the last one, gaps included.
  [[nodiscard]] constexpr plan::Count extent() const {
    return elements() == 0 ? 0 : (count - 1) * stride + block;
  }
  [[nodiscard]] constexpr bool is_contiguous() const { return count <= 1 || stride == block; }
};

/// Elements that don't lie one behind the other; what a collective takes in place of a span. They
/// are packed into a buffer of the call.
template <class T>
struct Strided {
  T* first = nullptr;
  Strides strides;
};

/// Throws internal_failure where blocks overlap, a number is negative, or the slice would leave the
/// `available` elements.
void check(const Strides& strides, plan::Count available);

/// `strided(matrix.data() + column, {.block = 1, .stride = columns, .count = rows})`.
template <class T>
[[nodiscard]] Strided<T> strided(T* first, Strides strides) {
  check(strides, strides.extent());
  return {first, strides};
}
/// The same, within `memory`.
template <class T, std::size_t Extent>
[[nodiscard]] Strided<T> strided(std::span<T, Extent> memory, Strides strides) {
  check(strides, static_cast<plan::Count>(memory.size()));
  return {memory.data(), strides};
}

/// Copies the slice that begins at `from` to contiguous memory, and back.
void pack(const std::byte* from, const Strides& strides, std::size_t element_size, std::byte* to);
void unpack(const std::byte* from, const Strides& strides, std::size_t element_size, std::byte* to);

}  // namespace cartwright::comm
