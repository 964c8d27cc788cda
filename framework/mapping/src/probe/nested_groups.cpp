// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/probe/core_groups.hpp>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>

namespace cartwright::mapping {
namespace {

/// Costs among some cores. The dearest twentieth of pairs is capped: an interrupted measurement
/// would else be the largest gap. (Two groups have dear pairs by far more than that.)
CostMatrix part_of(const CostMatrix& costs, const std::vector<int>& cores) {
  std::vector<double> values;
  std::vector<double> pairs;
  for (const int a : cores) {
    for (const int b : cores) {
      values.push_back(a == b ? 0.0 : costs(a, b));
      if (a != b) pairs.push_back(costs(a, b));
    }
  }
  if (!pairs.empty()) {
    std::ranges::sort(pairs);
    const double cap = pairs[std::min(pairs.size() - 1, pairs.size() * 19 / 20)];
    for (double& value : values) value = std::min(value, cap);
  }
  return CostMatrix(std::move(values));
}

/// One level finer: each group is split where its own costs show groups.
std::vector<int> split_groups(const CostMatrix& costs, const std::vector<int>& groups, int count) {
  std::vector<int> finer(groups.size());
  int next = 0;
  for (int group = 0; group < count; ++group) {
    std::vector<int> cores;
    for (std::size_t core = 0; core < groups.size(); ++core)
      if (groups[core] == group) cores.push_back(static_cast<int>(core));
    const CoreGroups found = find_groups(part_of(costs, cores));
    for (std::size_t i = 0; i < cores.size(); ++i)
      finer[static_cast<std::size_t>(cores[i])] = next + found.group_of[i];
    next += found.count;
  }
  return finer;
}

}  // namespace

std::vector<std::vector<int>> nested_groups(const CostMatrix& costs) {
  constexpr std::size_t most_levels = 5;
  std::vector<std::vector<int>> levels;
  std::vector<int> groups(static_cast<std::size_t>(costs.size()), 0);
  int count = groups.empty() ? 0 : 1;
  while (levels.size() < most_levels && count > 0) {
    groups = split_groups(costs, groups, count);
    const int finer = *std::ranges::max_element(groups) + 1;
    if (finer == count) break;
    count = finer;
    levels.push_back(groups);
  }
  return levels;
}

}  // namespace cartwright::mapping
