// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/run/run_options.hpp>
#include <span>
#include <string>

namespace cartwright::grid {

/// Follows the residuals of an iteration: when it has found the solution, and when it never will.
class Convergence {
 public:
  explicit Convergence(const IterationOptions& options) : options_(options) {}

  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }
  /// What residuals are compared with: of the first guess. One of at most `enough` is small,
  /// whatever the tolerance: below that there is only rounding.
  void begin(double residual, double enough = 0.0);
  /// Of iteration `number`, from 1; the first one is the begin where nothing else was.
  void add(long long number, double residual);

  [[nodiscard]] bool has_begun() const { return state_[known] != 0.0; }
  [[nodiscard]] double first() const { return state_[first_one]; }
  [[nodiscard]] double newest() const { return state_[last_one]; }
  /// The newest residual as a part of the first one; 1 before there is one.
  [[nodiscard]] double relative() const;
  /// The residual that is small enough.
  [[nodiscard]] double target() const;
  [[nodiscard]] bool is_converged() const { return has_begun() && newest() <= target(); }
  /// Why there is no sense in going on after so many iterations; empty if there is.
  [[nodiscard]] std::string hopeless(long long done) const;
  [[nodiscard]] bool has_ended(long long done) const {
    return is_converged() || done >= options_.limit || !hopeless(done).empty();
  }
  /// How an iteration that hasn't converged stands: why, how far it came, and what `key` wants.
  [[nodiscard]] std::string verdict(long long done, const std::string& key) const;

  /// What a restart needs.
  [[nodiscard]] std::span<double> state() { return state_; }

 private:
  enum Number { known, first_one, last_one, best, best_at, rounding, numbers };
  IterationOptions options_;
  std::array<double, numbers> state_{};
};

}  // namespace cartwright::grid
