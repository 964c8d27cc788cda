// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cstdint>

namespace cartwright::plan::clairvoyant {

/// Looks for the earliest end for which there is a backward plan, by few trials: what fails soon
/// was far too early, and costs little.
class EndSearch {
 public:
  /// Ends later than so many half rounds after the earliest are of no use.
  EndSearch(const ArrivalTask& task, std::int64_t most_useful)
      : rounds_together_(task.segments +
                         static_cast<int>(std::bit_width(static_cast<unsigned>(task.ranks - 1)))),
        near_enough_(std::int64_t{task.ranks} * task.segments < many_messages ? 1 : 2),
        most_useful_(most_useful) {}

  /// The next to be tried, in half rounds after the earliest that any plan has.
  [[nodiscard]] int next() const { return next_; }
  [[nodiscard]] bool is_over() const {
    if (late_ >= 0) return late_ - too_early_ <= near_enough_;
    return next_ > most_steps || is_useless();
  }
  /// Whether there is none that is of use.
  [[nodiscard]] bool is_useless() const { return late_ < 0 && too_early_ >= most_useful_; }
  /// Whether there is one.
  [[nodiscard]] bool has_found() const { return late_ >= 0; }

  void found() {
    late_ = next_;
    next_ = between();
  }
  void failed_in(int round) {
    if (next_ == 0) first_failed_in_ = round;
    const int passed = next_ == 0 ? 4 : std::max(1, (round - first_failed_in_) / next_);
    // Three quarters of the way to where, if it goes on like that, nothing fails any more.
    const int ahead = 3 * std::max(0, rounds_together_ - round) / (4 * passed);
    too_early_ = next_;
    next_ = late_ >= 0 ? between() : next_ + std::clamp(ahead, near_enough_, 2 * next_ + 4);
  }

 private:
  static constexpr int most_steps = 64;
  static constexpr std::int64_t many_messages = 1 << 17;  // a plan takes milliseconds
  [[nodiscard]] int between() const {
    return late_ - std::max(near_enough_, (late_ - too_early_) / 3);
  }

  int rounds_together_, near_enough_;
  std::int64_t most_useful_;
  int too_early_ = -1, late_ = -1, next_ = 0;
  int first_failed_in_ = 0;
};

}  // namespace cartwright::plan::clairvoyant
