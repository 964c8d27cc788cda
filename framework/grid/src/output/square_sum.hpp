// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/binned_sum.hpp>
#include <cstddef>
#include <span>

namespace cartwright::grid {

/// Sums take so many numbers at once: fewer cost more, and more wouldn't stay in the first cache.
inline constexpr std::size_t numbers_at_once = 1024;

/// A sum of squares of numbers of any size, with the same bits whoever adds what: those whose
/// squares would overflow or vanish are added apart, scaled by a power of two (as in Blue, 1978).
/// Trivially copyable; across ranks it is combined by `+=`.
class SquareSum {
 public:
  void add(std::span<const double> values);
  SquareSum& operator+=(const SquareSum& other);
  [[nodiscard]] bool is_nan() const { return large_.is_nan(); }
  /// The root of the mean of `count` squares. NaN if a NaN was added, infinite if an infinity was.
  [[nodiscard]] double root_mean(double count) const;

 private:
  comm::BinnedSum small_, middle_, large_;
};

}  // namespace cartwright::grid
