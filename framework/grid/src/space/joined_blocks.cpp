// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/space/joined_blocks.hpp>
#include <optional>
#include <tuple>

namespace cartwright::grid {
namespace {

/// Pairs of an axis' groups, the first one beginning with group `from`, 0 or 1.
struct Pairing {
  std::size_t axis = 0;
  std::size_t from = 0;
  double off_node = 0.0;  ///< of the pairs of ranks that would be joined, the share between nodes
  double cells = 0.0;     ///< of a group along the axis, on average

  [[nodiscard]] bool is_better_than(const Pairing& other) const {
    return std::tie(off_node, cells, axis, from) <
           std::tie(other.off_node, other.cells, other.axis, other.from);
  }
};

/// Blocks without cells join the one before.
BlockGroups without_empty(const Cuts& cuts) {
  BlockGroups groups(cuts.size());
  for (std::size_t axis = 0; axis < cuts.size(); ++axis)
    for (std::size_t part = 0; part + 1 < cuts[axis].size(); ++part)
      if (cuts[axis][part] < cuts[axis][part + 1]) groups[axis].push_back(static_cast<int>(part));
  return groups;
}

long long cells_of(const Cuts& cuts) {
  long long cells = 1;
  for (const auto& of_axis : cuts) cells *= of_axis.back();
  return cells;
}

std::optional<Pairing> best_pairing(const BlockGroups& groups, const Cuts& cuts,
                                    const OffNodePairs& off_node) {
  std::optional<Pairing> best;
  for (std::size_t axis = 0; axis < groups.size(); ++axis)
    for (const std::size_t from : {std::size_t{0}, std::size_t{1}}) {
      const auto& begins = groups[axis];
      Pairing pairing{axis, from, 0.0,
                      static_cast<double>(cuts[axis].back()) / static_cast<double>(begins.size())};
      std::size_t pairs = 0;
      for (std::size_t first = from; first + 1 < begins.size(); first += 2, ++pairs)
        pairing.off_node +=
            static_cast<double>(off_node[axis][static_cast<std::size_t>(begins[first + 1]) - 1]);
      if (pairs == 0) continue;
      pairing.off_node /= static_cast<double>(pairs);
      if (!best || pairing.is_better_than(*best)) best = pairing;
    }
  return best;
}

}  // namespace

BlockGroups joined_blocks(const Cuts& cuts, const OffNodePairs& off_node, long long least) {
  BlockGroups groups = without_empty(cuts);
  const long long cells = cells_of(cuts);
  while (cells < least * count_of(groups)) {
    const auto pairing = best_pairing(groups, cuts, off_node);
    if (!pairing) break;
    std::vector<int>& begins = groups[pairing->axis];
    std::vector<int> left;
    for (std::size_t group = 0; group < begins.size(); ++group)
      if (group < pairing->from || (group - pairing->from) % 2 == 0) left.push_back(begins[group]);
    begins = left;
  }
  return groups;
}

Cuts joined_cuts(const Cuts& cuts, const BlockGroups& groups) {
  Cuts joined(cuts.size());
  for (std::size_t axis = 0; axis < cuts.size(); ++axis) {
    for (const int first : groups[axis])
      joined[axis].push_back(cuts[axis][static_cast<std::size_t>(first)]);
    joined[axis].push_back(cuts[axis].back());
  }
  return joined;
}

long long count_of(const BlockGroups& groups) {
  long long count = 1;
  for (const auto& of_axis : groups) count *= static_cast<long long>(of_axis.size());
  return count;
}

}  // namespace cartwright::grid
