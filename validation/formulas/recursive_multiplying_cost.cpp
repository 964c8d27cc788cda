// SPDX-License-Identifier: Apache-2.0
#include "recursive_multiplying_cost.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "lambert.hpp"

namespace cartwright::validation::formulas {
namespace {

/// Where b_opt and b_upper meet the trivial solution b = 1.
constexpr double least_useful_ratio = 2.0 * std::numbers::ln2 - 1.0;

}  // namespace

double best_burst(double ratio) {
  if (!(ratio > least_useful_ratio)) return 1.0;
  return std::exp(lambert_w0((ratio - 1.0) / std::numbers::e) + 1.0) - 1.0;
}

double largest_burst(double ratio) {
  if (!(ratio > least_useful_ratio)) return 1.0;
  const double scale = (ratio + 1.0) / std::numbers::ln2;
  const double argument = -std::exp2((ratio - 1.0) / (ratio + 1.0)) / scale;
  return std::max(1.0, -scale * lambert_w_minus1(argument) - 1.0);
}

int largest_factor(double ratio) {
  return static_cast<int>(std::floor(largest_burst(ratio))) + 1;
}

}  // namespace cartwright::validation::formulas
