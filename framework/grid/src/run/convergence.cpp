// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/convergence.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

/// A residual counts as lower if it is so much lower than the best one before.
constexpr double progress_at_all = 0.99;

}  // namespace

void Convergence::begin(double residual, double enough) {
  state_ = {};
  state_[known] = 1.0;
  state_[first_one] = state_[last_one] = state_[best] = residual;
  state_[rounding] = enough;
}

void Convergence::add(long long number, double residual) {
  if (!has_begun()) begin(residual);
  state_[last_one] = residual;
  const bool is_lower = residual < progress_at_all * state_[best];
  if (!is_lower && state_[best_at] > 0.0) return;
  state_[best] = std::min(residual, state_[best]);
  state_[best_at] = static_cast<double>(number);
}

double Convergence::relative() const {
  return has_begun() && first() > 0.0 ? newest() / first() : 1.0;
}

double Convergence::target() const {
  return std::max(options_.tolerance * first(), state_[rounding]);
}

std::string Convergence::hopeless(long long done) const {
  if (!has_begun() || is_converged()) return {};
  if (!std::isfinite(newest())) return fmt::format("the residual is {:g}", newest());
  if (relative() > options_.divergence)
    return fmt::format("the residual has grown to {:.3g} times the first one", relative());
  const double waited = static_cast<double>(done) - state_[best_at];
  if (options_.stagnation > 0 && waited >= static_cast<double>(options_.stagnation))
    return fmt::format("the residual has not fallen by 1 % in {} iterations", options_.stagnation);
  return {};
}

std::string Convergence::verdict(long long done, const std::string& key) const {
  if (has_begun() && !std::isfinite(newest()))
    return fmt::format("not converged: the residual is {:g} after {} iterations", newest(), done);
  const std::string reason = hopeless(done);
  return fmt::format("not converged: {} {} of the first one after {} iterations; {} is {:g}",
                     reason.empty() ? "the residual is" : reason + "; it is",
                     has_begun() ? fmt::format("{:.3g}", relative()) : "unknown, as a part", done,
                     key, options_.tolerance);
}

}  // namespace cartwright::grid
