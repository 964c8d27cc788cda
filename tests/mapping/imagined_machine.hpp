// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/placement.hpp>
#include <map>
#include <numeric>
#include <vector>

namespace cartwright::mapping::testing {

/// What every rank would know of a machine: `node_of[r]` is the node of rank r.
inline std::vector<Topology> imagine(const std::vector<int>& node_of) {
  std::map<int, std::vector<int>> members;
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    members[node_of[rank]].push_back(static_cast<int>(rank));
  }
  std::vector<Topology> all(node_of.size());
  int first = 0;
  int smallest = static_cast<int>(node_of.size());
  int largest = 0;
  for (const auto& [node, ranks] : members) {
    const auto size = static_cast<int>(ranks.size());
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
    for (int slot = 0; slot < size; ++slot) {
      const int rank = ranks[static_cast<std::size_t>(slot)];
      Topology& topology = all[static_cast<std::size_t>(rank)];
      topology.here = {.node = node, .slot_on_node = slot};
      topology.rank = rank;
      topology.node_size = size;
      topology.first_slot = first;
      topology.ranks_on_node = ranks;
    }
    first += size;
  }
  for (Topology& topology : all) {
    topology.ranks = static_cast<int>(node_of.size());
    topology.nodes = static_cast<int>(members.size());
    topology.smallest_node = smallest;
    topology.largest_node = largest;
  }
  return all;
}

/// Ranks fill the nodes one after another.
inline std::vector<int> fill(const std::vector<int>& node_sizes) {
  std::vector<int> node_of;
  for (std::size_t node = 0; node < node_sizes.size(); ++node) {
    node_of.insert(node_of.end(), static_cast<std::size_t>(node_sizes[node]),
                   static_cast<int>(node));
  }
  return node_of;
}

/// The node at each grid position (in the order of GridShape::rank_of).
inline std::vector<int> node_map(const GridShape& shape, const Placement& placement,
                                 const std::vector<Topology>& machine) {
  std::vector<int> nodes(machine.size(), -1);
  for (const Topology& topology : machine) {
    const int position = shape.rank_of(placement.coordinates(topology));
    nodes[static_cast<std::size_t>(position)] = topology.here.node;
  }
  return nodes;
}

/// Pairs of neighbouring positions on different nodes, counted by looking at the whole grid.
inline long long count_off_node_faces(const GridShape& shape, const std::vector<int>& nodes) {
  long long faces = 0;
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
      std::vector<int> x = shape.coordinates_of(static_cast<int>(position));
      if (++x[axis] == shape.dims[axis]) {
        if (!shape.periodic[axis]) continue;
        x[axis] = 0;
      }
      faces += nodes[static_cast<std::size_t>(shape.rank_of(x))] != nodes[position] ? 1 : 0;
    }
  }
  return faces;
}

/// Faces to other nodes of the node that has the most, counted likewise.
inline int most_faces_of_a_node(const GridShape& shape, const std::vector<int>& nodes) {
  std::map<int, int> faces;
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
      for (const int step : {1, -1}) {
        std::vector<int> x = shape.coordinates_of(static_cast<int>(position));
        if (!shape.move(x, axis, step)) continue;
        const int other = nodes[static_cast<std::size_t>(shape.rank_of(x))];
        faces[nodes[position]] += other != nodes[position] ? 1 : 0;
      }
    }
  }
  int most = 0;
  for (const auto& [node, count] : faces) most = std::max(most, count);
  return most;
}

/// The ranks of each node: `nodes` of `size`, and `more` behind them.
inline std::vector<int> equal_nodes(int nodes, int size, const std::vector<int>& more = {}) {
  std::vector<int> sizes(static_cast<std::size_t>(nodes), size);
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

inline bool is_permutation(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<int> expected(numbers.size());
  std::iota(expected.begin(), expected.end(), 0);
  return numbers == expected;
}

inline GridShape bounded(std::vector<int> dims) {
  std::vector<bool> periodic(dims.size(), false);
  return {std::move(dims), std::move(periodic)};
}
inline GridShape periodic(std::vector<int> dims) {
  std::vector<bool> around(dims.size(), true);
  return {std::move(dims), std::move(around)};
}

}  // namespace cartwright::mapping::testing
