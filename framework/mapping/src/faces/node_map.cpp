// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/faces/node_map.hpp>
#include <numeric>
#include <utility>

namespace cartwright::mapping {

std::vector<int> NodeMap::sizes() const {
  std::vector<int> sizes(static_cast<std::size_t>(node_count), 0);
  for (const int node : nodes) ++sizes[static_cast<std::size_t>(node)];
  return sizes;
}

NodeMap fill_along(const GridShape& shape, std::span<const int> order,
                   std::span<const int> node_sizes, std::span<const int> nodes) {
  NodeMap map{shape, std::vector<int>(order.size()), static_cast<int>(node_sizes.size())};
  std::size_t next = 0;
  for (std::size_t i = 0; i < node_sizes.size(); ++i) {
    const int node = nodes.empty() ? static_cast<int>(i) : nodes[i];
    const int size = node_sizes[static_cast<std::size_t>(node)];
    for (int rank = 0; rank < size; ++rank, ++next) {
      map.nodes[static_cast<std::size_t>(order[next])] = node;
    }
  }
  return map;
}

NodeMap fill_in_order(const GridShape& shape, std::span<const int> node_sizes) {
  std::vector<int> order(static_cast<std::size_t>(shape.size()));
  std::iota(order.begin(), order.end(), 0);
  return fill_along(shape, order, node_sizes);
}

FaceTable::FaceTable(const GridShape& shape, std::vector<double> weights)
    : positions_(static_cast<int>(shape.size())),
      directions_(2 * shape.dims.size()),
      weights_(std::move(weights)),
      neighbours_(static_cast<std::size_t>(positions_) * directions_) {
  if (weights_.empty()) weights_.assign(shape.dims.size(), 1.0);
  std::size_t entry = 0;
  std::vector<int> x(shape.dims.size(), 0);
  for (int position = 0; position < positions_; ++position) {
    int stride = 1;
    for (std::size_t axis = 0; axis < x.size(); ++axis) {
      const int extent = shape.dims[axis];
      const bool around = shape.periodic[axis] && extent > 1;
      const int up = x[axis] + 1 < extent ? position + stride
                     : around             ? position - (extent - 1) * stride
                                          : positions_;
      const int down = x[axis] > 0 ? position - stride
                       : around    ? position + (extent - 1) * stride
                                   : positions_;
      neighbours_[entry++] = up;
      neighbours_[entry++] = down;
      stride *= extent;
    }
    for (std::size_t axis = 0; axis < x.size() && ++x[axis] == shape.dims[axis]; ++axis)
      x[axis] = 0;
  }
}

FaceTable FaceTable::within(std::span<const int> members) const {
  FaceTable part;
  part.positions_ = static_cast<int>(members.size());
  part.directions_ = directions_;
  part.weights_ = weights_;
  std::vector<int> number(static_cast<std::size_t>(positions_) + 1, part.positions_);
  for (std::size_t i = 0; i < members.size(); ++i) {
    number[static_cast<std::size_t>(members[i])] = static_cast<int>(i);
  }
  part.neighbours_.reserve(members.size() * directions_);
  for (const int member : members) {
    const int* next = of(member);
    for (std::size_t i = 0; i < directions_; ++i) {
      part.neighbours_.push_back(number[static_cast<std::size_t>(next[i])]);
    }
  }
  return part;
}

double FaceTable::cost(std::span<const int> nodes) const noexcept {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < weights_.size(); ++axis) {
    long long faces = 0;
    const int* next = neighbours_.data() + 2 * axis;
    for (const int node : nodes) {
      faces += *next != positions_ && nodes[static_cast<std::size_t>(*next)] != node ? 1 : 0;
      next += directions_;
    }
    sum += weights_[axis] * static_cast<double>(faces);
  }
  return sum;
}

double FaceTable::busiest(std::span<const int> nodes, int node_count) const {
  std::vector<double> of_node(static_cast<std::size_t>(node_count), 0.0);
  for (int position = 0; position < positions_; ++position) {
    const int node = nodes[static_cast<std::size_t>(position)];
    const int* next = of(position);
    for (std::size_t i = 0; i < directions_; ++i) {
      if (next[i] == positions_ || nodes[static_cast<std::size_t>(next[i])] == node) continue;
      of_node[static_cast<std::size_t>(node)] += weight(i);
    }
  }
  return of_node.empty() ? 0.0 : *std::max_element(of_node.begin(), of_node.end());
}

}  // namespace cartwright::mapping
