// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cartwright/mapping/faces/node_map.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Sizes of the groups of ranks below nodes, in the order of slots: for instance the ranks of every
/// L3 cache, node after node. Each level divides the groups of the level before.
using InnerLevels = std::vector<std::vector<int>>;

/// The slot of each position: nodes as in `map`, and on each node the positions of a group (then of
/// its groups) compact again, by the same strategies and search on the node's own set of positions.
/// `weights`: cost of a face across each axis. Deterministic; equal nodes are searched once.
[[nodiscard]] std::vector<int> assign_slots(const NodeMap& map, const InnerLevels& levels = {},
                                            const std::vector<double>& weights = {});

/// The groups of one level as a map like that of nodes, to judge it: `slots` by position.
[[nodiscard]] NodeMap level_map(const GridShape& shape, const std::vector<int>& slots,
                                const std::vector<int>& group_sizes);

/// Slots by a table: what a search found. Takes O(positions) memory, shared by copies.
class TableOrder {
 public:
  /// `slots`: a permutation, by position.
  TableOrder(GridShape shape, std::vector<int> slots, std::string name);
  [[nodiscard]] std::vector<int> coordinates(int slot) const;
  [[nodiscard]] int slot(const std::vector<int>& coordinates) const;
  [[nodiscard]] const std::string& describe() const noexcept { return table_->name; }

 private:
  struct Table {
    GridShape shape;
    std::vector<int> slots, positions;  // by position, by slot
    std::string name;
  };
  std::shared_ptr<const Table> table_;
};

}  // namespace cartwright::mapping
