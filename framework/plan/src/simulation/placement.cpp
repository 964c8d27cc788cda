// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/placement.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cartwright::plan {

Placement::Placement(std::vector<int> cores) : cores_(std::move(cores)) {
  std::vector<int> sorted = cores_;
  std::ranges::sort(sorted);
  if (!sorted.empty() && sorted.front() < 0)
    throw std::invalid_argument("a placement has no core " + std::to_string(sorted.front()));
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end())
    throw std::invalid_argument("a placement has two ranks on core " + std::to_string(*twice));
}

Placement Placement::round_robin(const Machine& machine, int ranks) {
  const int in_unit = machine.ranks_in_unit(0);
  const int units = (ranks + in_unit - 1) / in_unit;
  std::vector<int> cores;
  cores.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) cores.push_back(r % units * in_unit + r / units);
  return Placement(std::move(cores));
}

}  // namespace cartwright::plan
