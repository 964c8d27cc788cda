// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/probe/core_groups.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <numeric>
#include <utility>

namespace cartwright::mapping {

namespace {

/// The continued fraction of the incomplete beta function (Lentz's method).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1.0;
  double d = 1.0 - (a + b) * x / (a + 1.0);
  d = 1.0 / (std::abs(d) < tiny ? tiny : d);
  double h = d;
  for (int m = 1; m <= 300; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    double step = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 + term * d;
      c = 1.0 + term / c;
      d = 1.0 / (std::abs(d) < tiny ? tiny : d);
      if (std::abs(c) < tiny) c = tiny;
      step = d * c;
      h *= step;
    }
    if (std::abs(step - 1.0) < 1e-14) break;
  }
  return h;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0 || x >= 1.0) return x <= 0.0 ? 0.0 : 1.0;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log(1.0 - x));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

/// Probability that Student's t with `freedom` degrees exceeds `t`.
double upper_tail(double t, double freedom) {
  const double half = 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
  return t >= 0.0 ? half : 1.0 - half;
}

double both_ways(const CostMatrix& costs, int a, int b) {
  return 0.5 * (costs(a, b) + costs(b, a));
}

/// The middle of the largest gap between sorted costs of pairs; 0 if all cost the same.
double threshold_at_largest_gap(const CostMatrix& costs) {
  std::vector<double> pairs;
  for (int a = 0; a < costs.size(); ++a) {
    for (int b = a + 1; b < costs.size(); ++b) pairs.push_back(both_ways(costs, a, b));
  }
  std::sort(pairs.begin(), pairs.end());
  double largest = 0.0;
  double threshold = 0.0;
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i] - pairs[i - 1] <= largest) continue;
    largest = pairs[i] - pairs[i - 1];
    threshold = 0.5 * (pairs[i] + pairs[i - 1]);
  }
  return threshold;
}

/// Numbers the components of cores joined by pairs below the threshold.
CoreGroups components(const CostMatrix& costs, double threshold) {
  CoreGroups groups{
      std::vector<int>(static_cast<std::size_t>(costs.size()), -1), 0, threshold, 1.0, {}};
  for (int first = 0; first < costs.size(); ++first) {
    if (groups.group_of[static_cast<std::size_t>(first)] >= 0) continue;
    std::vector<int> waiting{first};
    groups.group_of[static_cast<std::size_t>(first)] = groups.count;
    while (!waiting.empty()) {
      const int core = waiting.back();
      waiting.pop_back();
      for (int other = 0; other < costs.size(); ++other) {
        int& group = groups.group_of[static_cast<std::size_t>(other)];
        if (group >= 0 || both_ways(costs, core, other) >= threshold) continue;
        group = groups.count;
        waiting.push_back(other);
      }
    }
    ++groups.count;
  }
  return groups;
}

CoreGroups one_group(const CostMatrix& costs, std::string reason) {
  return {std::vector<int>(static_cast<std::size_t>(costs.size()), 0), 1, 0.0, 1.0,
          std::move(reason)};
}

/// The largest p-value of the tests inside against outside, both ways, of all groups. A group of
/// one core has no inside: that of all groups together stands for it.
double largest_p_value(const CostMatrix& costs, const CoreGroups& groups) {
  const auto members = groups.members();
  std::vector<double> all_inside;
  for (const auto& group : members) {
    const auto inside = costs_between(costs, group, group);
    all_inside.insert(all_inside.end(), inside.begin(), inside.end());
  }
  double largest = 0.0;
  for (const auto& group : members) {
    std::vector<int> others;
    for (int core = 0; core < costs.size(); ++core) {
      if (!std::binary_search(group.begin(), group.end(), core)) others.push_back(core);
    }
    auto inside = costs_between(costs, group, group);
    if (inside.size() < 2) inside = all_inside;
    for (const auto& outside :
         {costs_between(costs, group, others), costs_between(costs, others, group)}) {
      largest = std::max(largest, welch_p_value(statistics_of(inside), statistics_of(outside)));
    }
  }
  return largest;
}

}  // namespace

CostMatrix::CostMatrix(std::vector<double> costs)
    : size_(static_cast<int>(std::lround(std::sqrt(static_cast<double>(costs.size()))))),
      costs_(std::move(costs)) {
  const auto n = static_cast<std::size_t>(size_);
  const auto is_finite = [](double cost) { return std::isfinite(cost); };
  if (n * n != costs_.size() || !std::all_of(costs_.begin(), costs_.end(), is_finite)) {
    throw rt::input_error("a matrix of costs between cores isn't square, or not finite",
                          "Give one finite time for each ordered pair of cores, row after row.",
                          rt::Reach::all_ranks);
  }
}

SampleStatistics statistics_of(std::span<const double> samples) {
  if (samples.empty()) return {};
  const auto n = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  double squares = 0.0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double deviation = samples.size() > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0;
  return {static_cast<int>(samples.size()), mean, deviation};
}

double welch_p_value(const SampleStatistics& smaller, const SampleStatistics& larger) {
  if (smaller.count == 0 || larger.count == 0) return 1.0;
  const double a = smaller.deviation * smaller.deviation / smaller.count;
  const double b = larger.deviation * larger.deviation / larger.count;
  const double difference = larger.mean - smaller.mean;
  if (a + b <= 0.0) return difference > 0.0 ? 0.0 : 1.0;
  const double freedom =
      (a + b) * (a + b) /
      (a * a / std::max(1, smaller.count - 1) + b * b / std::max(1, larger.count - 1));
  return upper_tail(difference / std::sqrt(a + b), freedom);
}

std::vector<std::vector<int>> CoreGroups::members() const {
  std::vector<std::vector<int>> members(static_cast<std::size_t>(count));
  for (std::size_t core = 0; core < group_of.size(); ++core) {
    members[static_cast<std::size_t>(group_of[core])].push_back(static_cast<int>(core));
  }
  return members;
}

std::vector<double> costs_between(const CostMatrix& costs, const std::vector<int>& from,
                                  const std::vector<int>& to) {
  std::vector<double> found;
  for (const int a : from) {
    for (const int b : to) {
      if (a != b) found.push_back(costs(a, b));
    }
  }
  return found;
}

CoreGroups find_groups(const CostMatrix& costs, double significance) {
  if (costs.size() < 3) return one_group(costs, "fewer than three cores");
  const double threshold = threshold_at_largest_gap(costs);
  CoreGroups groups = components(costs, threshold);
  if (groups.count == 1) return one_group(costs, "all cores are joined by cheap pairs");
  if (2 * groups.count > costs.size()) return one_group(costs, "most cores would be alone");
  groups.p_value = largest_p_value(costs, groups);
  if (!(groups.p_value < significance)) {
    return one_group(costs, "costs inside and between groups don't differ significantly");
  }
  return groups;
}

}  // namespace cartwright::mapping
