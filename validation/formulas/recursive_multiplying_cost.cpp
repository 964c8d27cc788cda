// SPDX-License-Identifier: Apache-2.0
#include "recursive_multiplying_cost.hpp"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include "lambert.hpp"

namespace cartwright::validation::formulas {
namespace {

/// Where b_opt and b_upper meet the trivial solution b = 1.
constexpr double least_useful_ratio = 2.0 * std::numbers::ln2 - 1.0;

std::int64_t product_of(std::span<const int> factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

/// Time of a stage per unit of ln P that it contributes, in a_r.
double factor_price(double ratio, int factor) {
  return (ratio + factor - 1) / std::log(factor);
}

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

int best_factor(double ratio) {
  int factor = 2;
  while (factor_price(ratio, factor + 1) < factor_price(ratio, factor)) ++factor;
  return factor;
}

int largest_factor(double ratio) {
  return static_cast<int>(std::floor(largest_burst(ratio))) + 1;
}

double ratio_from_which_better(int factor) {
  const double bits = std::log2(factor);
  return (factor - 1 - bits) / (bits - 1.0);
}

double factors_cost(const PipelinedLatency& latency, std::span<const int> factors) {
  double cost = 0.0;
  for (const int factor : factors)
    cost += latency.pipelining + (factor - 1) * latency.required + latency.stage_extra;
  return cost;
}

double merged_cost(const PipelinedLatency& latency, std::span<const int> factors,
                   std::int64_t remainder) {
  const double core = factors_cost(latency, factors);
  if (remainder == 0) return core;
  if (factors.size() < 2)
    throw std::invalid_argument(
        "merging needs two factors: a rank merged into the only stage "
        "would miss its result");
  const std::int64_t groups = product_of(factors) / factors.back();
  const std::int64_t served = (remainder + groups - 1) / groups;
  return core + static_cast<double>(1 + served) * latency.required;
}

double split_cost(const PipelinedLatency& latency, std::span<const int> factors, int base) {
  return factors_cost(latency, factors) + 2.0 * latency.pipelining + base * latency.required +
         2.0 * latency.stage_extra;
}

std::int64_t factors_messages(std::span<const int> factors) {
  const std::int64_t ranks = product_of(factors);
  std::int64_t messages = 0;
  for (const int factor : factors) messages += ranks * (factor - 1);
  return messages;
}

std::int64_t merged_messages(std::span<const int> factors, std::int64_t remainder) {
  if (remainder == 0) return factors_messages(factors);
  return factors_messages(factors) + remainder * (factors.front() + factors.back());
}

std::int64_t split_messages(std::span<const int> factors, std::int64_t threshold, int base) {
  return factors_messages(factors) + 2 * (threshold / base) * (base - 1);
}

}  // namespace cartwright::validation::formulas
