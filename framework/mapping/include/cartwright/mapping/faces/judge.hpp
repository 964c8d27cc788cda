// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <vector>

namespace cartwright::mapping {

/// What a mapping costs: faces of the grid whose two sides are on different nodes. The same
/// functions judge any level: give them the map of L3 caches instead of nodes.
struct Judgement {
  std::vector<long long> faces;  ///< off-node faces by axis, each counted once
  double weighted = 0.0;         ///< Jsum: their sum times the weights
  double busiest = 0.0;          ///< Jmax: the same over all faces of the busiest node, both ways
  std::vector<int> busiest_by_axis;  ///< max over nodes of f, see `outgoing_faces`

  [[nodiscard]] long long total() const noexcept;  ///< sum of `faces`
  /// E: lines of the busiest node along each axis, summed (Karlsson 2012, 5.2).
  [[nodiscard]] int outgoing() const noexcept;
};

/// `weights`: cost of a face across each axis; empty means 1.
[[nodiscard]] Judgement judge(const NodeMap& map, const std::vector<double>& weights = {});

/// f[node][axis]: positions of the node whose successor along the axis exists and is on another
/// node (Karlsson 2012, Fig. 5.6, repaired: the last position of a bounded axis counts 0).
[[nodiscard]] std::vector<std::vector<int>> outgoing_faces(const NodeMap& map);

/// How a collective along one line of the grid hands data on.
enum class LineTree {
  chain,          ///< from neighbour to neighbour
  low_binomial,   ///< distances of the binomial tree halve from step to step
  high_binomial,  ///< distances double: Open MPI's broadcast
  hierarchical,   ///< one message a node, then inside it
};

/// Messages between nodes when every line along every axis runs one broadcast from position
/// `root` of that line (the hierarchical tree doesn't depend on it).
[[nodiscard]] long long off_node_messages(const NodeMap& map, LineTree tree, int root = 0);
/// The same along `axis` alone.
[[nodiscard]] long long off_node_messages(const NodeMap& map, LineTree tree, int root,
                                          std::size_t axis);

}  // namespace cartwright::mapping
