// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <span>

namespace cartwright::plan {

/// Up to a positive number.
constexpr int largest_power_of_two(int number) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(number)));
}

/// ceil(log2 of a positive number).
constexpr int doublings(int number) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(number) - 1u));
}

/// The factors of a power of two.
inline std::span<const int> twos(int power) {
  static constexpr auto factors = [] {
    std::array<int, 31> all{};
    all.fill(2);
    return all;
  }();
  return std::span(factors).first(static_cast<std::size_t>(doublings(power)));
}

}  // namespace cartwright::plan
