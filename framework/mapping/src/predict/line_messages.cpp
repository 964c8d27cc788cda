// SPDX-License-Identifier: Apache-2.0
#include "line_messages.hpp"

#include <bit>

namespace cartwright::mapping {

namespace {

using Steps = std::vector<std::vector<GridMessage>>;

void add(Steps& steps, std::size_t step, GridMessage message) {
  if (steps.size() <= step) steps.resize(step + 1);
  steps[step].push_back(message);
}

/// Distances halve from step to step; returns how many steps there are.
std::size_t add_low_binomial(Steps& steps, std::size_t first, const std::vector<int>& members) {
  const std::size_t size = members.size();
  std::size_t step = first;
  for (std::size_t distance = std::bit_ceil(size) / 2; distance > 0; distance /= 2, ++step) {
    for (std::size_t parent = 0; parent + distance < size; parent += 2 * distance) {
      add(steps, step, {members[parent], members[parent + distance]});
    }
  }
  return step - first;
}

void add_high_binomial(Steps& steps, const std::vector<int>& members) {
  for (std::size_t child = 1; child < members.size(); ++child) {
    const std::size_t bit = std::bit_floor(child);
    add(steps, static_cast<std::size_t>(std::countr_zero(bit)),
        {members[child - bit], members[child]});
  }
}

/// The first position of each node along the line, then the rest of each node.
void add_hierarchical(Steps& steps, const std::vector<int>& nodes, const std::vector<int>& line) {
  std::vector<int> leaders;
  std::vector<std::vector<int>> members;
  for (const int position : line) {
    std::size_t group = 0;
    const int node = nodes[static_cast<std::size_t>(position)];
    while (group < leaders.size() && nodes[static_cast<std::size_t>(leaders[group])] != node) {
      ++group;
    }
    if (group == leaders.size()) {
      leaders.push_back(position);
      members.emplace_back();
    }
    members[group].push_back(position);
  }
  const std::size_t first = add_low_binomial(steps, 0, leaders);
  for (const auto& group : members) add_low_binomial(steps, first, group);
}

void add_line(Steps& steps, const NodeMap& map, const std::vector<int>& line, LineTree tree) {
  switch (tree) {
    case LineTree::chain:
      for (std::size_t i = 1; i < line.size(); ++i) add(steps, 0, {line[i - 1], line[i]});
      return;
    case LineTree::low_binomial:
      add_low_binomial(steps, 0, line);
      return;
    case LineTree::high_binomial:
      add_high_binomial(steps, line);
      return;
    case LineTree::hierarchical:
      add_hierarchical(steps, map.nodes, line);
  }
}

}  // namespace

Steps line_messages(const NodeMap& map, std::size_t axis, LineTree tree) {
  Steps steps;
  const int extent = map.shape.dims[axis];
  int stride = 1;
  for (std::size_t i = 0; i < axis; ++i) stride *= map.shape.dims[i];
  std::vector<int> line(static_cast<std::size_t>(extent));
  for (int first = 0; first < static_cast<int>(map.nodes.size()); ++first) {
    if (first / stride % extent != 0) continue;
    for (int i = 0; i < extent; ++i) line[static_cast<std::size_t>(i)] = first + i * stride;
    add_line(steps, map, line, tree);
  }
  return steps;
}

}  // namespace cartwright::mapping
