// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/comm/selection/default_tuning.hpp>
#include <cartwright/comm/transport/link.hpp>
#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/comm/transport/mailboxes.hpp>
#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Mailboxes of a communicator, and which of its ranks they reach.
struct NodePaths {
  std::unique_ptr<Mailboxes> mailboxes;
  std::vector<std::int32_t> members;  ///< by rank: its number in the mailboxes; -1: another node
};

/// Memory of a communicator's ranks on this node, and which these are.
struct NodeShare {
  SegmentView segment;
  std::vector<std::int32_t> members;  ///< by rank: its number in the segment; -1: another node
};

/// Mailboxes in memory of their own, and this rank's part of that memory behind them: what is
/// staged there counts from its begin.
struct LeasedPaths {
  rt::Lease lease;
  NodePaths paths;
  std::span<std::byte> memory;
};

/// Memory of each rank of the node, and by rank of a communicator its number there; -1: another
/// node.
struct LeasedMemory {
  rt::Lease lease;
  std::vector<int> member_of;
};

/// One lease of memory for the ranks of a node, dealt out to communicators that these ranks form.
/// With links, imagined nodes of one host share it, too, and what they say to each other arrives
/// when it would through such a network.
class NodeMemory {
 public:
  /// For all communicators together, on a node of so many ranks: each has rings from all others.
  [[nodiscard]] static constexpr std::size_t usual_bytes(int ranks) noexcept {
    constexpr std::size_t least = std::size_t{64} << 20;
    constexpr std::size_t of_rank = std::size_t{4} << 20;
    constexpr std::size_t of_pair = std::size_t{16} << 10;
    const auto all = static_cast<std::size_t>(ranks);
    return std::max(least, all * std::max(of_rank, all * of_pair));
  }
  static constexpr int any_size = std::numeric_limits<int>::max();

  struct Options {
    /// There is room for so many, of at most so many ranks each, as they take their shares.
    std::vector<int> communicators{any_size};
    std::optional<std::size_t> bytes{};  ///< of each node, together; absent: as usual
    /// Of the run, with all ranks of the parent; else one is made.
    std::optional<rt::Arena> arena{};
    std::optional<LinkSpeed> links{};  ///< between the topology's nodes
    /// From which size on what is quick.
    std::shared_ptr<const DefaultTuning> tuning = DefaultTuning::of_library();
  };

  /// Collective over `parent`, for which `topology` was discovered; nodes are
  /// those of the topology that really share memory. `usable` says on all ranks of `parent` alike
  /// whether every node has enough of it. Throws an input error on all ranks for links where ranks
  /// are on several hosts, or can't share memory.
  NodeMemory(const rt::Communicator& parent, const mapping::Topology& topology, Options options);
  NodeMemory(const rt::Communicator& parent, const mapping::Topology& topology)
      : NodeMemory(parent, topology, Options()) {}
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  [[nodiscard]] const rt::Arena& arena() const noexcept { return arena_; }
  [[nodiscard]] bool usable() const noexcept { return usable_; }
  /// What lies between imagined nodes; those then reach each other as members of one node do.
  [[nodiscard]] const std::optional<LinkSpeed>& links() const noexcept { return links_; }
  /// Measured at the beginning, where every rank has a core: cache lines take long between some of
  /// them (another socket or last-level cache, or a host that has spread its virtual cores). Then
  /// many small copies through shared memory lose against a single one by the system.
  [[nodiscard]] bool cores_are_far() const noexcept { return cores_are_far_; }
  /// The next share, for a communicator whose ranks are all in `parent`. Local;
  /// all ranks of a node ask for the same communicators in the same order.
  /// Throws internal_failure when all shares are taken. The result must not
  /// outlive this.
  [[nodiscard]] NodePaths paths_of(const rt::Communicator& comm);
  /// The next share as it is, instead: zero at first.
  [[nodiscard]] NodeShare share_of(const rt::Communicator& comm);
  /// Mailboxes of that shape (members and links are seen to here) for a communicator of the same
  /// ranks as `parent`, and `bytes` of memory for this rank. Collective over the ranks of each
  /// node; nothing where a node has no room. Throws an input error on all ranks of the node for
  /// links without room. Must not outlive this.
  [[nodiscard]] std::optional<LeasedPaths> lease_paths(const rt::Communicator& comm,
                                                       MailboxShape shape, std::size_t bytes) const;

  /// How many ranks of the node share memory: members of what is leased.
  [[nodiscard]] int members() const noexcept { return node_->size(); }
  [[nodiscard]] const rt::Communicator& ranks() const noexcept { return *node_; }
  /// `bytes` of memory for this rank (others may want more or less), for a communicator of the same
  /// ranks as `parent`. Collective over the ranks of each node; nothing where a node has no room.
  [[nodiscard]] std::optional<LeasedMemory> lease_memory(const rt::Communicator& comm,
                                                         std::size_t bytes) const;

 private:
  /// Of one communicator: in each member's part of the lease.
  struct Share {
    MailboxShape shape;
    std::size_t begin = 0;
  };
  [[nodiscard]] const Share& take_share();
  /// The ranks of `comm` here, as members of the node; `of_rank`: by rank, the place among them.
  [[nodiscard]] std::vector<int> members_of(const rt::Communicator& comm,
                                            std::vector<std::int32_t>& of_rank) const;
  [[nodiscard]] NodePaths paths_in(const rt::Communicator& comm, const SegmentView& segment,
                                   const MailboxShape& shape, std::size_t offset) const;
  void reach_through_links(const mapping::Topology& topology, std::size_t words);
  [[nodiscard]] std::vector<Link> links_of(const std::vector<int>& members, int me) const;

  rt::Arena arena_;
  rt::Communicator own_node_;  // empty: the arena's
  const rt::Communicator* node_;
  std::optional<rt::Lease> lease_;
  SegmentView segment_;
  std::vector<Share> shares_;
  std::size_t taken_ = 0;
  bool usable_ = false;
  bool cores_are_far_ = false;
  std::optional<LinkSpeed> links_;
  std::vector<int> node_of_;  // by rank of `node_`: its node of the topology; where there are links
  std::size_t link_words_ = 0;  // in the part of a node's first rank: until when its ways are busy
};

}  // namespace cartwright::comm
