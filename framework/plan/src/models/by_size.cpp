// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/by_size.hpp>

#include <algorithm>
#include <stdexcept>

namespace cartwright::plan {

BySize::BySize(std::vector<std::pair<Count, double>> points) : points_(std::move(points)) {
  const auto later = [](const auto& a, const auto& b) { return a.first >= b.first; };
  if (points_.empty() || std::ranges::adjacent_find(points_, later) != points_.end())
    throw std::invalid_argument("a parameter by size needs points that ascend in bytes");
}

double BySize::at(Count bytes) const {
  const auto above = std::ranges::upper_bound(points_, bytes, {}, &std::pair<Count, double>::first);
  if (above == points_.begin()) return above->second;
  const auto below = above - 1;
  if (above == points_.end()) return below->second;
  const double part =
      static_cast<double>(bytes - below->first) / static_cast<double>(above->first - below->first);
  return below->second + part * (above->second - below->second);
}

}  // namespace cartwright::plan
