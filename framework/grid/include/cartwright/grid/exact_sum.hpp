// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>

namespace cartwright::grid {

/// Adds doubles without rounding, so that the order of adding (and with it the number of ranks and
/// threads) cannot change a bit of the result: a fixed-point number wide enough for every double
/// (Kulisch's long accumulator), in 32-bit digits held in 64 bits so that carries can wait.
class ExactSum {
 public:
  void add(double value);
  /// Collective. The sum over all ranks, on every rank.
  [[nodiscard]] ExactSum over(const rt::Communicator& comm) const;
  /// The sum times 2^exponent, rounded once to nearest, ties to even (twice where the result is
  /// subnormal because of the exponent). NaN if a NaN was added, or infinities of both signs.
  [[nodiscard]] double value(int exponent = 0) const;
  /// The sum divided by `count`, which is a number also where the sum is too large for one.
  [[nodiscard]] double mean(double count) const;

 private:
  // Bit 0 is the smallest subnormal, 2^-1074; the largest double ends at bit 2097; 64 bits are left
  // for the carries of 2^63 summands.
  static constexpr int digits = 68;
  void carry();

  std::array<std::int64_t, digits> digit_{};
  std::int64_t pending_ = 0;               // additions since the last carry
  std::array<std::int64_t, 3> special_{};  // how many NaN, +inf, -inf
};

}  // namespace cartwright::grid
