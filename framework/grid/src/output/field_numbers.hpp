// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "../run/scalar_visit.hpp"

namespace cartwright::grid {

/// A copy of the owned points of `field` in host memory.
[[nodiscard]] inline std::vector<std::byte> owned_bytes(const FieldBase& field) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(field.block().points()) *
                               field.element().bytes());
  field.copy_owned_to(bytes);
  return bytes;
}

/// All owned points of `field` and all of their components.
[[nodiscard]] inline OwnedPart whole_part(const FieldBase& field) {
  return {{0, 0, 0}, field.block().count, 0, field.element().components};
}

/// The length of a vector, scaled so that no square overflows or vanishes. NaN counts before
/// infinity.
template <class Component>
[[nodiscard]] double scaled_magnitude(int components, const Component& component) {
  double greatest = 0;
  for (int i = 0; i < components; ++i) {
    if (std::isnan(component(i))) return component(i);
    greatest = std::max(greatest, std::abs(component(i)));
  }
  if (greatest == 0 || std::isinf(greatest)) return greatest;
  const int exponent = std::ilogb(greatest);
  double sum = 0;
  for (int i = 0; i < components; ++i) {
    const double scaled = std::scalbn(component(i), -exponent);
    sum += scaled * scaled;
  }
  return std::scalbn(std::sqrt(sum), exponent);
}

/// The number that stands for a point in pictures and statistics: itself, or a vector's magnitude.
/// `at` is the point's place in memory order.
template <class T>
[[nodiscard]] double number_at(std::span<const std::byte> bytes, long long at, int components) {
  const auto n = static_cast<std::size_t>(components);
  const std::byte* place = bytes.data() + static_cast<std::size_t>(at) * n * sizeof(T);
  const auto component = [place](int i) {
    T value;
    std::memcpy(&value, place + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    return static_cast<double>(value);
  };
  if (components == 1) return component(0);
  double sum = 0;
  for (int i = 0; i < components; ++i) sum += component(i) * component(i);
  const bool is_safe = sum > 0x1p-900 && sum < 0x1p1000;
  return is_safe ? std::sqrt(sum) : scaled_magnitude(components, component);
}

}  // namespace cartwright::grid
