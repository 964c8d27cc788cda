// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <cstdint>

/// Quiet NaNs whose payload survives arithmetic: a mark, the number of a field and of a face.
namespace cartwright::grid::poison {

/// Face in 3 bits, field in 8 bits, above them a mark; fits the 22 payload bits of a float.
inline constexpr std::uint32_t mark = 0b1011'0110'101U;

[[nodiscard]] constexpr std::uint32_t payload(int face, int field) {
  return mark << 11 | (static_cast<std::uint32_t>(field) & 0xffU) << 3 |
         static_cast<std::uint32_t>(face);
}
[[nodiscard]] constexpr bool is_payload(std::uint32_t bits) {
  return (bits >> 11 & 0x7ffU) == mark;
}
[[nodiscard]] constexpr int face_of(std::uint32_t payload) {
  return static_cast<int>(payload & 7U);
}
[[nodiscard]] constexpr int field_of(std::uint32_t payload) {
  return static_cast<int>(payload >> 3 & 0xffU);
}

template <class T>
[[nodiscard]] T make(int face, int field) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(std::uint64_t{0x7ff8'0000'0000'0000} |
                            std::uint64_t{payload(face, field)} << 29);
  else
    return std::bit_cast<T>(std::uint32_t{0x7fc0'0000} | payload(face, field));
}

/// The payload of `value`, or 0 if it is no poison. A float that was widened keeps its payload.
template <class T>
[[nodiscard]] std::uint32_t payload_of(T value) {
  std::uint32_t bits = 0;
  if constexpr (sizeof(T) == 8) {
    const auto word = std::bit_cast<std::uint64_t>(value);
    if ((word >> 52 & 0x7ffU) != 0x7ffU) return 0;
    bits = static_cast<std::uint32_t>(word >> 29 & 0x3f'ffffU);
  } else {
    const auto word = std::bit_cast<std::uint32_t>(value);
    if ((word >> 23 & 0xffU) != 0xffU) return 0;
    bits = word & 0x3f'ffffU;
  }
  return is_payload(bits) ? bits : 0;
}

}  // namespace cartwright::grid::poison
