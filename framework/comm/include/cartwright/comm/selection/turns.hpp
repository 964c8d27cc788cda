// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Candidates that take turns in the first calls of a key, and who was the quickest; of one rank.
/// All ranks make the same calls, so that all are at the same turn. Then the ranks compare their
/// least durations, in the background of the next calls (see auto_backend.hpp).
class Turns {
 public:
  static constexpr int of_each = 4;     ///< the first of them also makes the schedule ready
  static constexpr int background = 8;  ///< calls during which the ranks compare
  /// A winner must be quicker than the usual way by this much: less can't be told apart.
  static constexpr double clear_gain = 1.05;

  explicit Turns(std::size_t candidates)
      : least_(candidates, std::numeric_limits<double>::infinity()) {}

  /// Whose turn the present call is; the usual way, number 0, while the ranks compare.
  [[nodiscard]] std::size_t now() const noexcept {
    return are_taken() ? 0 : calls_ % least_.size();
  }
  [[nodiscard]] bool are_taken() const noexcept { return calls_ >= of_each * least_.size(); }
  /// The present call has taken so many seconds on this rank; the next one's turn begins.
  void note(double seconds) noexcept {
    double& least = least_[now()];
    if (!are_taken() && seconds < least) least = seconds;
    ++calls_;
  }
  /// Right after the last turn: the ranks begin to compare.
  [[nodiscard]] bool must_compare() const noexcept { return calls_ == of_each * least_.size(); }
  /// The comparison is waited for.
  [[nodiscard]] bool must_decide() const noexcept {
    return calls_ >= of_each * least_.size() + background;
  }
  /// By candidate: this rank's least durations, in s; for the comparison, the slowest rank's.
  [[nodiscard]] std::span<double> least() noexcept { return least_; }
  /// Who is the quickest by `least`: the usual way unless another one is clearly quicker.
  [[nodiscard]] std::size_t quickest() const noexcept {
    std::size_t best = 0;
    for (std::size_t i = 1; i < least_.size(); ++i)
      if (least_[i] * clear_gain < least_[0] && (best == 0 || least_[i] < least_[best])) best = i;
    return best;
  }

 private:
  std::vector<double> least_;
  std::size_t calls_ = 0;
};

}  // namespace cartwright::comm
