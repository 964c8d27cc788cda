// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cartwright::linear {

/// How a solution went.
struct Result {
  bool converged = false;
  long long iterations = 0;
  std::vector<double> residuals;  ///< norms: at the begin, and behind each iteration
  std::string reason;             ///< why it ended, in words

  [[nodiscard]] double first() const { return residuals.empty() ? 0.0 : residuals.front(); }
  [[nodiscard]] double last() const { return residuals.empty() ? 0.0 : residuals.back(); }
  /// One line: "12 iterations, residual 3.4e-09 of the first one".
  [[nodiscard]] std::string summary() const;
};

/// Follows the norms of residuals, and finds when there is no use in going on.
class Convergence {
 public:
  Convergence(double tolerance, long long limit, int patience)
      : tolerance_(tolerance), limit_(limit), patience_(patience) {}

  void begin(double residual, double rounding);
  /// Of one more iteration.
  void add(double residual);

  [[nodiscard]] bool ended() const { return !result_.reason.empty(); }
  /// The norm that is enough.
  [[nodiscard]] double target() const { return target_; }
  [[nodiscard]] const Result& result() const { return result_; }
  /// What a restart needs.
  [[nodiscard]] std::span<double> state() { return {&target_, 1}; }
  /// Throws a numerical failure (all ranks) if it has ended without a solution.
  void require_converged(const std::string& method, const std::string& field) const;

 private:
  double tolerance_;
  long long limit_;
  int patience_;  ///< iterations without progress
  double target_ = 0.0;
  double best_ = 0.0;
  long long best_at_ = 0;
  Result result_;
};

}  // namespace cartwright::linear
