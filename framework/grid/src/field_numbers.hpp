// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "scalar_visit.hpp"

namespace cartwright::grid {

/// A copy of the owned points of `field` in host memory.
[[nodiscard]] inline std::vector<std::byte> owned_bytes(const FieldBase& field) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(field.block().points()) *
                               field.element().bytes());
  field.copy_owned_to(bytes);
  return bytes;
}

/// The number that stands for a point in pictures and statistics: itself, or a vector's magnitude.
/// `at` is the point's place in memory order.
template <class T>
[[nodiscard]] double number_at(std::span<const std::byte> bytes, long long at, int components) {
  const auto n = static_cast<std::size_t>(components);
  const std::byte* place = bytes.data() + static_cast<std::size_t>(at) * n * sizeof(T);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, place + i * sizeof(T), sizeof(T));
    const auto number = static_cast<double>(value);
    if (n == 1) return number;
    sum += number * number;
  }
  return std::sqrt(sum);
}

}  // namespace cartwright::grid
