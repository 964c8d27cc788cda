// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/linear/solve/result.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

namespace cartwright::linear {
namespace {

constexpr double diverged = 1e8;         ///< times the first residual
constexpr double noticeable = 0.99;      ///< of the best residual so far: progress
constexpr std::size_t most_known = 512;  ///< iterations that memory is taken for beforehand

double fraction_of_first(const Result& result) {
  return result.first() > 0.0 ? result.last() / result.first() : 0.0;
}

}  // namespace

std::string Result::summary() const {
  return fmt::format("{} iteration{}, residual {:.3g}, {:.3g} of the first one", iterations,
                     iterations == 1 ? "" : "s", last(), fraction_of_first(*this));
}

void Convergence::begin(double residual, double rounding) {
  result_ = {};
  result_.residuals.reserve(std::min(static_cast<std::size_t>(limit_) + 1, most_known));
  result_.residuals.push_back(residual);
  target_ = std::max(tolerance_ * residual, rounding);
  best_ = residual;
  best_at_ = 0;
  if (!std::isfinite(residual)) {
    result_.reason = "the first residual isn't a number";
  } else if (residual <= rounding) {
    result_.converged = true;
    result_.reason = "it was solved before the first iteration";
  }
}

void Convergence::add(double residual) {
  result_.residuals.push_back(residual);
  ++result_.iterations;
  if (residual <= target_) {
    result_.converged = true;
    result_.reason = "the residual is small enough";
  } else if (!std::isfinite(residual) || residual > diverged * result_.first()) {
    result_.reason = "the residual grows";
  } else if (residual > noticeable * best_ && result_.iterations - best_at_ >= patience_) {
    result_.reason = fmt::format("the residual hasn't fallen in {} iterations", patience_);
  } else if (result_.iterations >= limit_) {
    result_.reason = "it takes more iterations than the limit";
  }
  if (residual <= noticeable * best_) {
    best_ = residual;
    best_at_ = result_.iterations;
  }
}

void Convergence::require_converged(const std::string& method, const std::string& field) const {
  if (result_.converged) return;
  throw rt::numerical_failure(
      fmt::format("{} for '{}': {}: {}", method, field, result_.reason, result_.summary()),
      "Look at the right side and at the coefficients, or try another linear.method, a larger "
      "linear.tolerance or a larger linear.limit.",
      rt::Reach::all_ranks);
}

}  // namespace cartwright::linear
