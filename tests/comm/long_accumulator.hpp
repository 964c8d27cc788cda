// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace cartwright::comm::test {

/// What sums are compared with: a fixed-point number wide enough for every double (Kulisch), in
/// 32-bit digits held in 64 bits. Finite numbers only, fewer than 2^29 of them.
class LongAccumulator {
 public:
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<int>((bits >> 52) & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
    const int position = exponent == 0 ? 0 : exponent - 1;
    const int shift = position % 32;
    const std::uint64_t low = mantissa << shift;
    const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64 - shift);
    const std::array<std::uint64_t, 3> part{low & 0xffffffff, low >> 32, high};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto digit = static_cast<std::int64_t>(part[i]);
      digit_[static_cast<std::size_t>(position / 32) + i] += (bits >> 63) != 0 ? -digit : digit;
    }
  }
  /// The sum times 2^exponent, rounded to nearest, ties to even.
  [[nodiscard]] double value(int exponent = 0) const {
    auto digit = digit_;
    propagate(digit);
    const bool is_negative = digit.back() < 0;
    if (is_negative) {
      for (auto& each : digit) each = -each;
      propagate(digit);
    }
    const auto bit = [&](int at) {
      return at >= 0 && ((digit[static_cast<std::size_t>(at / 32)] >> (at % 32)) & 1) != 0;
    };
    int top = 32 * digits - 1;
    while (top >= 0 && !bit(top)) --top;
    const int lowest = std::max(0, top - 52);
    std::uint64_t mantissa = 0;
    for (int i = top; i >= lowest; --i) mantissa = 2 * mantissa + (bit(i) ? 1 : 0);
    bool rest = false;
    for (int i = lowest - 2; i >= 0 && !rest; --i) rest = bit(i);
    if (bit(lowest - 1) && (rest || mantissa % 2 == 1)) ++mantissa;
    const double size = std::ldexp(static_cast<double>(mantissa), lowest - 1074 + exponent);
    return is_negative ? -size : size;
  }

 private:
  static constexpr int digits = 68;
  using Digits = std::array<std::int64_t, digits>;
  static void propagate(Digits& digit) {
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      const std::int64_t over = digit[i] >> 32;
      digit[i] -= over * (std::int64_t{1} << 32);
      digit[i + 1] += over;
    }
  }
  Digits digit_{};
};

}  // namespace cartwright::comm::test
