// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/cost_matrix.hpp>
#include <span>
#include <string>
#include <vector>

namespace cartwright::mapping {

struct SampleStatistics {
  int count = 0;
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation of the sample
};
[[nodiscard]] SampleStatistics statistics_of(std::span<const double> samples);

/// Welch's t-test of "the second sample comes from a larger mean": the probability to see such a
/// difference by chance. Samples without spread are compared by their means (0 or 1).
[[nodiscard]] double welch_p_value(const SampleStatistics& smaller, const SampleStatistics& larger);

/// Cores that talk faster among each other than with the rest: sockets, chips, shared caches.
struct CoreGroups {
  std::vector<int> group_of;  ///< by core; groups are numbered by their lowest core
  int count = 1;
  double threshold = 0.0;  ///< pairs below belong together; 0 if there is one group
  double p_value = 1.0;    ///< the largest of the tests that confirmed the groups
  std::string reason;      ///< why there is only one group; empty otherwise

  [[nodiscard]] std::vector<std::vector<int>> members() const;
};

/// Pairs of cores (their mean both ways) are parted at the largest gap between sorted costs; cores
/// joined by cheap pairs form a group. Every group must be cheaper inside than towards the other
/// groups, and than from them, by Welch's test at `significance`; otherwise all cores are one
/// group.
[[nodiscard]] CoreGroups find_groups(const CostMatrix& costs, double significance = 1.0e-3);

/// Directed costs from cores of one group to those of another, or among one group.
[[nodiscard]] std::vector<double> costs_between(const CostMatrix& costs,
                                                const std::vector<int>& from,
                                                const std::vector<int>& to);

}  // namespace cartwright::mapping
