// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/exact_sum.hpp>

namespace cartwright::grid {

/// Adds squares without rounding their sum, of numbers of any size: those whose squares would
/// overflow or vanish are added apart, scaled by a power of two (as in Blue, 1978). The result
/// depends neither on the order of adding nor on who adds what.
class SquareSum {
 public:
  void add(double value);
  /// Collective. The sum over all ranks, on every rank.
  [[nodiscard]] SquareSum over(const rt::Communicator& comm) const;
  /// The root of the mean of `count` squares. NaN if a NaN was added, infinite if an infinity was.
  [[nodiscard]] double root_mean(double count) const;

 private:
  struct Part {
    ExactSum sum;
    bool is_empty = true;
    void add(double value) {
      sum.add(value * value);
      is_empty = false;
    }
  };
  Part small_, middle_, large_;
};

}  // namespace cartwright::grid
