// SPDX-License-Identifier: Apache-2.0
#include "square_sum.hpp"

#include <algorithm>
#include <cmath>

namespace cartwright::grid {
namespace {

// Squares from 2^-1000 to 2^960 are in the middle: whole, and the sum of 2^63 of them is a number.
constexpr double smallest_in_the_middle = 0x1p-500;
constexpr double smallest_large = 0x1p480;
constexpr int shift = 600;  // small numbers times 2^600, large ones times 2^-600

bool is_in_the_middle(double value) {
  const double size = std::abs(value);
  return size == 0 || (size >= smallest_in_the_middle && size < smallest_large);
}

}  // namespace

void SquareSum::add(std::span<const double> values) {
  if (std::ranges::all_of(values, is_in_the_middle)) return middle_.add_products(values, values);
  for (const double value : values) {
    const double large = value * 0x1p-600;
    const double small = value * 0x1p600;
    if (is_in_the_middle(value))
      middle_.add(value * value);
    else if (std::abs(value) < smallest_large)
      small_.add(small * small);
    else  // also NaN
      large_.add(large * large);
  }
}

SquareSum& SquareSum::operator+=(const SquareSum& other) {
  small_ += other.small_;
  middle_ += other.middle_;
  large_ += other.large_;
  return *this;
}

double SquareSum::root_mean(double count) const {
  constexpr comm::BinnedSum nothing{};
  const double middle = middle_.value();
  if (large_ != nothing) {
    const double sum = large_.value() + std::ldexp(middle, -2 * shift);
    return std::ldexp(std::sqrt(sum / count), shift);
  }
  if (middle_ == nothing) return std::ldexp(std::sqrt(small_.value() / count), -shift);
  return std::sqrt((middle + std::ldexp(small_.value(), -2 * shift)) / count);
}

}  // namespace cartwright::grid
