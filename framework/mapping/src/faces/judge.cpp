// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cartwright/mapping/faces/judge.hpp>
#include <numeric>

namespace cartwright::mapping {

namespace {

/// Node at each position of one line, in the order of the axis.
template <typename Visit>
void for_each_line(const NodeMap& map, std::size_t axis, Visit visit) {
  const int extent = map.shape.dims[axis];
  int stride = 1;
  for (std::size_t i = 0; i < axis; ++i) stride *= map.shape.dims[i];
  std::vector<int> line(static_cast<std::size_t>(extent));
  const int positions = static_cast<int>(map.nodes.size());
  for (int first = 0; first < positions; ++first) {
    if (first / stride % extent != 0) continue;
    for (int i = 0; i < extent; ++i) {
      const int position = first + i * stride;
      line[static_cast<std::size_t>(i)] = map.nodes[static_cast<std::size_t>(position)];
    }
    visit(line);
  }
}

/// The parent of `place` (counted from the root) in a broadcast tree over `size` places.
int parent_of(int place, LineTree tree) {
  const auto bits = static_cast<unsigned>(place);
  if (tree == LineTree::low_binomial) return static_cast<int>(bits & (bits - 1U));
  if (tree == LineTree::high_binomial) return static_cast<int>(bits - std::bit_floor(bits));
  return place - 1;
}

long long messages_of_line(const std::vector<int>& line, LineTree tree, int root) {
  const auto size = static_cast<int>(line.size());
  if (tree == LineTree::hierarchical) {
    std::vector<int> nodes = line;
    std::sort(nodes.begin(), nodes.end());
    return std::unique(nodes.begin(), nodes.end()) - nodes.begin() - 1;
  }
  const auto node_at = [&](int place) {
    return line[static_cast<std::size_t>((place + root) % size)];
  };
  long long messages = 0;
  for (int place = 1; place < size; ++place) {
    messages += node_at(place) != node_at(parent_of(place, tree)) ? 1 : 0;
  }
  return messages;
}

}  // namespace

long long Judgement::total() const noexcept {
  return std::accumulate(faces.begin(), faces.end(), 0LL);
}

int Judgement::outgoing() const noexcept {
  return std::accumulate(busiest_by_axis.begin(), busiest_by_axis.end(), 0);
}

std::vector<std::vector<int>> outgoing_faces(const NodeMap& map) {
  const FaceTable table(map.shape);
  const std::size_t axes = map.shape.dims.size();
  std::vector<std::vector<int>> f(static_cast<std::size_t>(map.node_count),
                                  std::vector<int>(axes, 0));
  for (int position = 0; position < table.positions(); ++position) {
    const int node = map.nodes[static_cast<std::size_t>(position)];
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const int next = table.of(position)[2 * axis];
      if (next == table.positions() || map.nodes[static_cast<std::size_t>(next)] == node) continue;
      ++f[static_cast<std::size_t>(node)][axis];
    }
  }
  return f;
}

Judgement judge(const NodeMap& map, const std::vector<double>& weights) {
  const FaceTable table(map.shape, weights);
  const std::size_t axes = map.shape.dims.size();
  Judgement judgement{std::vector<long long>(axes, 0), table.cost(map.nodes),
                      table.busiest(map.nodes, map.node_count), std::vector<int>(axes, 0)};
  for (const auto& f : outgoing_faces(map)) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      judgement.faces[axis] += f[axis];
      judgement.busiest_by_axis[axis] = std::max(judgement.busiest_by_axis[axis], f[axis]);
    }
  }
  return judgement;
}

long long off_node_messages(const NodeMap& map, LineTree tree, int root, std::size_t axis) {
  long long messages = 0;
  for_each_line(map, axis, [&](const std::vector<int>& line) {
    messages += messages_of_line(line, tree, root);
  });
  return messages;
}

long long off_node_messages(const NodeMap& map, LineTree tree, int root) {
  long long messages = 0;
  for (std::size_t axis = 0; axis < map.shape.dims.size(); ++axis) {
    messages += off_node_messages(map, tree, root, axis);
  }
  return messages;
}

}  // namespace cartwright::mapping
