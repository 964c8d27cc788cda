// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cmath>
#include <limits>

namespace cartwright::comm {
namespace {

constexpr int digit_bits = 40;  // as wide as a bin, so that folds begin at digits
constexpr std::int64_t base = std::int64_t{1} << digit_bits;
constexpr std::size_t digits = 6;  // three folds of 96 bits, 40 apart, are less than 200 bits

using Digits = std::array<std::int64_t, digits>;

/// Carries: all digits but the last are then from 0 to 2^40 - 1.
void propagate(Digits& digit) {
  for (std::size_t i = 0; i + 1 < digits; ++i) {
    const std::int64_t over = digit[i] >> digit_bits;  // towards minus infinity
    digit[i] -= over * base;
    digit[i + 1] += over;
  }
}

/// The number with such digits times 2^exponent, rounded to nearest, ties to even.
double rounded(const Digits& digit, int exponent) {
  int top = static_cast<int>(digits) - 1;
  while (top > 0 && digit[static_cast<std::size_t>(top)] == 0) --top;
  const auto bits_of = [&](int i) {
    return static_cast<std::uint64_t>(digit[static_cast<std::size_t>(i)]);
  };
  // The first 64 bits; that there are further ones is noted in the last of these, which lies below
  // all that a double has.
  const int length = digit_bits * top + static_cast<int>(std::bit_width(bits_of(top)));
  const int lowest = std::max(0, length - 64);
  std::uint64_t window = 0;
  bool rest = false;
  for (int i = 0; i <= top; ++i) {
    const std::uint64_t bits = bits_of(i);
    const int above = digit_bits * i - lowest;
    if (above >= 0) {
      window |= bits << above;
    } else if (above > -digit_bits) {
      window |= bits >> -above;
      rest = rest || (bits & ((std::uint64_t{1} << -above) - 1)) != 0;
    } else {
      rest = rest || bits != 0;
    }
  }
  return std::ldexp(static_cast<double>(window | (rest ? 1U : 0U)), lowest + exponent);
}

}  // namespace

double BinnedSum::value(int exponent) const {
  if (is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if ((special_ & plus_infinity) != 0) return std::numeric_limits<double>::infinity();
  if ((special_ & minus_infinity) != 0) return -std::numeric_limits<double>::infinity();
  Digits digit{};
  for (int fold = 0; fold < folds; ++fold) {
    const auto first = static_cast<std::size_t>(folds - 1 - fold);
    const std::uint64_t low = low_[fold];
    digit[first] += static_cast<std::int64_t>(low & (std::uint64_t{base} - 1));
    digit[first + 1] += static_cast<std::int64_t>(low >> digit_bits);  // 24 bits
    digit[first + 1] += static_cast<std::int64_t>(high_[fold]) * (std::int64_t{1} << 24);
  }
  propagate(digit);
  const bool is_negative = digit.back() < 0;
  if (is_negative) {
    for (auto& each : digit) each = -each;
    propagate(digit);
  }
  const int lowest = width * (highest_ - (folds - 1)) - 1074 + exponent;
  const double size = rounded(digit, lowest);
  return is_negative ? -size : size;
}

double BinnedSum::mean(double count) const {
  const double sum = value();
  if (!std::isinf(sum)) return sum / count;
  constexpr int scale = 64;  // more than the sum has room for
  return std::ldexp(value(-scale) / count, scale);
}

}  // namespace cartwright::comm
