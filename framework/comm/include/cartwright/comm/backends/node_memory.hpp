// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/comm/transport/mailboxes.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// Mailboxes of a communicator, and which of its ranks they reach.
struct NodePaths {
  std::unique_ptr<Mailboxes> mailboxes;
  std::vector<std::int32_t> members;  ///< by rank: its number in the mailboxes; -1: another node
};

/// One lease of memory for the ranks of a node, dealt out to communicators that these ranks form.
class NodeMemory {
 public:
  /// Of the whole node, for all communicators together.
  static constexpr std::size_t usual_bytes = std::size_t{64} << 20;

  /// Collective over `parent`, for which `topology` was discovered; nodes are
  /// those of the topology that really share memory. Room for so many
  /// communicators. `usable` says on all ranks of `parent` alike whether every
  /// node has enough of it. `arena`: of the run, with all ranks of `parent`; else it makes one.
  NodeMemory(const rt::Communicator& parent, const mapping::Topology& topology, int communicators,
             std::size_t bytes = usual_bytes, std::optional<rt::Arena> arena = std::nullopt);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  [[nodiscard]] const rt::Arena& arena() const noexcept { return arena_; }
  [[nodiscard]] bool usable() const noexcept { return usable_; }
  /// Measured at the beginning, where every rank has a core: cache lines take long between some of
  /// them (another socket or last-level cache, or a host that has spread its virtual cores). Then
  /// many small copies through shared memory lose against a single one by the system.
  [[nodiscard]] bool cores_are_far() const noexcept { return cores_are_far_; }
  /// The next share, for a communicator whose ranks are all in `parent`. Local;
  /// all ranks of a node ask for the same communicators in the same order.
  /// Throws internal_failure when all shares are taken. The result must not
  /// outlive this.
  [[nodiscard]] NodePaths paths_of(const rt::Communicator& comm);

 private:
  rt::Arena arena_;
  rt::Communicator own_node_;  // empty: the arena's
  const rt::Communicator* node_;
  std::optional<rt::Lease> lease_;
  SegmentView segment_;
  MailboxShape shape_;
  int shares_ = 0;
  int taken_ = 0;
  bool usable_ = false;
  bool cores_are_far_ = false;
};

}  // namespace cartwright::comm
