// SPDX-License-Identifier: Apache-2.0
#include "lambert.hpp"
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace cartwright::validation::formulas {
namespace {

constexpr double lowest_lambert_argument = -1.0 / std::numbers::e;

/// Halley's method on w eʷ - x (Corless 1996, 5.9); `w` starts on the side of -1 of its branch.
double refine_lambert(double x, double w) {
  constexpr int enough = 60;  // converges cubically: 5 are usual
  for (int i = 0; i < enough; ++i) {
    const double power = std::exp(w);
    const double error = w * power - x;
    const double slope = power * (w + 1.0) - (w + 2.0) * error / (2.0 * w + 2.0);
    if (slope == 0.0 || !std::isfinite(slope)) break;
    const double step = error / slope;
    w -= step;
    if (std::abs(step) <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(w)) break;
  }
  return w;
}

/// The series of both branches about their common point; `side` is +1 for W₀ and -1 for W₋₁.
double near_branch_point(double x, double side) {
  const double p = side * std::sqrt(std::max(0.0, 2.0 * (std::numbers::e * x + 1.0)));
  return -1.0 + p - p * p / 3.0 + 11.0 / 72.0 * p * p * p;
}

double checked_lambert(double x) {
  if (std::isnan(x) || x < lowest_lambert_argument * (1.0 + 1e-15))
    throw std::domain_error("Lambert's W is real from -1/e on");
  return std::max(x, lowest_lambert_argument);
}

}  // namespace

double lambert_w0(double x) {
  x = checked_lambert(x);
  if (x == 0.0 || std::isinf(x)) return x;
  if (x < -0.25) {
    const double start = near_branch_point(x, 1.0);
    return start <= -1.0 + 1e-7 ? start : refine_lambert(x, start);
  }
  return refine_lambert(x, x < 3.0 ? std::log1p(x) * 0.8 : std::log(x) - std::log(std::log(x)));
}

double lambert_w_minus1(double x) {
  x = checked_lambert(x);
  if (x >= 0.0) throw std::domain_error("the branch W₋₁ of Lambert's W is real below 0 only");
  if (x < -0.25) {
    const double start = near_branch_point(x, -1.0);
    return start >= -1.0 - 1e-7 ? start : refine_lambert(x, start);
  }
  const double log = std::log(-x);
  return refine_lambert(x, log - std::log(-log));
}

}  // namespace cartwright::validation::formulas
