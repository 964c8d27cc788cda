// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/probe/core_groups.hpp>
#include <cartwright/mapping/probe/probe_repetition.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace cartwright::mapping {
namespace {

double quantile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

double student_quantile(int degrees) {
  if (degrees < 1) return std::numeric_limits<double>::infinity();
  if (degrees == 1) return 12.706;
  if (degrees == 2) return 4.303;
  // Expansion of Cornish and Fisher about the normal quantile.
  const double inverse = 1.0 / degrees;
  return 1.959964 +
         inverse * (2.372271 + inverse * (2.822504 + inverse * (2.555852 + inverse * 1.589536)));
}

SampleSummary summarise(std::span<const double> samples) {
  SampleSummary summary;
  summary.count = static_cast<int>(samples.size());
  if (samples.empty()) return summary;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  summary.lower = quantile(sorted, 0.25);
  summary.median = quantile(sorted, 0.5);
  summary.upper = quantile(sorted, 0.75);
  const double limit = summary.median + 5.0 * (summary.upper - summary.lower);
  const auto kept = std::span<const double>(
      sorted.begin(), std::ranges::upper_bound(sorted, std::max(limit, summary.median)));
  summary.outliers = static_cast<int>(sorted.size() - kept.size());
  const SampleStatistics statistics = statistics_of(kept);
  summary.mean = statistics.mean;
  summary.half_width = statistics.count < 2
                           ? std::numeric_limits<double>::infinity()
                           : student_quantile(statistics.count - 1) * statistics.deviation /
                                 std::sqrt(static_cast<double>(statistics.count));
  return summary;
}

bool is_settled(const SampleSummary& summary, const RepetitionRule& rule) {
  return summary.count >= rule.fewest && summary.half_width <= rule.width * summary.mean;
}

int samples_to_take(std::span<const double> samples, double seconds, double total,
                    const RepetitionRule& rule) {
  const auto taken = static_cast<int>(samples.size());
  if (taken < rule.fewest) return rule.fewest - taken;
  if (taken >= rule.most || seconds >= rule.seconds || total >= rule.total_seconds) return 0;
  if (is_settled(summarise(samples), rule)) return 0;
  const double each = std::max(seconds, 1e-9) / taken;
  const auto affordable = static_cast<int>(std::min((rule.seconds - seconds) / each, 1e6)) + 1;
  return std::min({taken, rule.most - taken, affordable});
}

}  // namespace cartwright::mapping
