// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/multiplying_heuristic.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace cartwright::plan {

namespace {

double effective_c(const MultiplyingParameters& p) {
  return static_cast<double>(p.fixed()) / static_cast<double>(p.each());
}

/// A stage's time for its share of log P. Rounded: factors that tie must not be told apart by the
/// last bit of a logarithm, which may differ between machines.
std::int64_t sort_key(double c, int factor) {
  return std::llround(1e9 * (c + factor - 1) / std::log(factor));
}

/// `of` as candidates in their order, each as often as it divides; empty when one is left over.
std::vector<int> greedy_factors(int of, const std::vector<int>& candidates) {
  std::vector<int> factors;
  for (const int f : candidates)
    for (; of % f == 0; of /= f) factors.push_back(f);
  if (of != 1) factors.clear();
  return factors;
}

/// For one factor and remaining ranks.
Stages stages_of_single_factor(int factor, int remainders, const std::vector<int>& candidates) {
  for (const int f : candidates) {
    if (f >= factor || factor % f != 0) continue;
    const int factors[] = {f, factor / f};
    return merged_stages(factors, remainders);
  }
  const int all[] = {factor + remainders};
  return factor_stages(all);
}

}  // namespace

int largest_useful_factor(const MultiplyingParameters& parameters, int most) {
  require_physical(parameters);
  const double c = effective_c(parameters);
  // The gain over factor 2 is concave in f and zero at 2: from the first loss on there is no gain.
  int largest = 2;
  while (largest < most && (c + 1) * std::log2(largest + 1) >= c + largest) ++largest;
  return largest;
}

std::vector<int> factor_candidates(const MultiplyingParameters& parameters, int most,
                                   FactorOrder order) {
  std::vector<int> candidates;
  for (int f = largest_useful_factor(parameters, most); f >= 2; --f) candidates.push_back(f);
  if (order == FactorOrder::quickest_first) {
    const double c = effective_c(parameters);
    std::ranges::sort(candidates, {}, [c](int f) { return std::pair(sort_key(c, f), f); });
  }
  return candidates;
}

Stages heuristic_stages(int ranks, const MultiplyingParameters& parameters, FactorOrder order) {
  if (ranks < 1) throw std::invalid_argument("recursive multiplying needs at least one rank");
  const auto candidates = factor_candidates(parameters, ranks, order);
  if (ranks == 1) return {};
  // Ends at the latest when a power of two is left.
  for (int remainders = 0;; ++remainders) {
    const auto factors = greedy_factors(ranks - remainders, candidates);
    if (factors.empty()) continue;
    if (remainders == 0) return factor_stages(factors);
    if (factors.size() > 1) return merged_stages(factors, remainders);
    return stages_of_single_factor(factors.front(), remainders, candidates);
  }
}

Stages doubling_stages(int ranks) {
  if (ranks < 1) throw std::invalid_argument("recursive doubling needs at least one rank");
  const int doublings = std::bit_width(static_cast<unsigned>(ranks)) - 1;
  const int core = 1 << doublings;
  const std::vector<int> factors(static_cast<std::size_t>(doublings), 2);
  return core == ranks ? factor_stages(factors) : collapsed_stages(2 * (ranks - core), 2, factors);
}

}  // namespace cartwright::plan
