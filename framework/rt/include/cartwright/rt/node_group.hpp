// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <span>
#include <vector>

namespace cartwright::rt {

/// The nodes of a communicator, as MPI sees them: found once per run.
class NodeGroup {
 public:
  /// Collective over `world`.
  explicit NodeGroup(const Communicator& world);

  /// The ranks of this node, in the order of `world`.
  [[nodiscard]] const Communicator& comm() const noexcept { return comm_; }
  [[nodiscard]] int count() const noexcept { return count_; }
  /// This node's number, from 0, in the order of the nodes' lowest ranks.
  [[nodiscard]] int number() const noexcept { return number_; }
  /// By rank of `world`: the number of its node.
  [[nodiscard]] std::span<const int> node_of() const noexcept { return node_of_; }
  /// The ranks of a node in `world`, ascending: those of this one by rank of comm().
  [[nodiscard]] std::vector<int> ranks_of(int node) const;

 private:
  Communicator comm_;
  std::vector<int> node_of_;
  int count_ = 0;
  int number_ = 0;
};

}  // namespace cartwright::rt
