// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/plan/hierarchy.hpp>
#include <cartwright/rt/communicator.hpp>
#include <memory>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Which ranks of a communicator share a node: of the virtual topology, if there is one.
class NodeView {
 public:
  /// Nobody else is on this rank's node.
  [[nodiscard]] static NodeView apart() { return {}; }
  /// Of a communicator whose ranks are among those for which `topology` was discovered. Collective
  /// over `comm`.
  [[nodiscard]] static NodeView of(const rt::Communicator& comm, const mapping::Topology& topology);

  /// Of some of the ranks, `ranks[me]` this one. Local.
  [[nodiscard]] NodeView among(std::span<const int> ranks, int me) const;

  [[nodiscard]] bool is_on_my_node(int rank) const {
    return nodes_ != nullptr && nodes_->member_at(0, nodes_->place_of(rank)) == mine_;
  }
  /// Level 0: nodes; level 1: their ranks. Null: each rank is on its own.
  [[nodiscard]] const std::shared_ptr<const plan::Hierarchy>& nodes() const { return nodes_; }
  /// Most ranks that one of these nodes has, with those that are left out of among().
  [[nodiscard]] int node_ranks() const noexcept { return node_ranks_; }

 private:
  NodeView(const std::vector<int>& node_of_each, int me);
  NodeView() = default;

  std::shared_ptr<const plan::Hierarchy> nodes_;
  int mine_ = 0;
  int node_ranks_ = 1;
};

}  // namespace cartwright::comm
