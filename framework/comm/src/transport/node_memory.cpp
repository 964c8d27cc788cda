// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/transport/core_distance.hpp>
#include <cartwright/comm/transport/node_memory.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/rank_group.hpp>
#include <numeric>

namespace cartwright::comm {

namespace {

/// Seconds: within one last-level cache it is 30 to 60 ns, between sockets 130 and more.
constexpr double far_distance = 100e-9;

/// Ranks of one node of the topology; of those on one real node, if an imagined
/// one is larger.
rt::Communicator ranks_of_node(const rt::Communicator& parent, const mapping::Topology& topology) {
  const rt::Communicator imagined = parent.split(topology.here.node, topology.here.slot_on_node);
  return imagined.split_shared_memory();
}

/// Whether all nodes have room for what is wanted there.
bool has_room(const rt::Communicator& parent, std::size_t bytes_per_rank) {
  const rt::Communicator real = parent.split_shared_memory();
  const auto wanted = bytes_per_rank * static_cast<std::size_t>(real.size());
  int enough = real.is_root() && wanted > NodeSegment::available() ? 0 : 1;
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, parent.handle()),
                "MPI_Allreduce");
  return enough != 0;
}

}  // namespace

NodeMemory::NodeMemory(const rt::Communicator& parent, const mapping::Topology& topology,
                       int communicators, std::size_t bytes)
    : node_(ranks_of_node(parent, topology)), shares_(communicators) {
  shape_ = MailboxShape::within(bytes / static_cast<std::size_t>(std::max(communicators, 1)),
                                node_.size(), !topology.oversubscribed);
  const std::size_t all = shape_.bytes_per_member() * static_cast<std::size_t>(communicators);
  usable_ = has_room(parent, all + cache_line);
  if (!usable_) return;
  segment_ = NodeSegment(node_, all + cache_line, [this, all](std::span<std::byte> part) {
    NodeSegment::zero(part.subspan(all));
    for (int share = 0; share < shares_; ++share)  // staging memory is written before it is read
      NodeSegment::zero(part.subspan(shape_.bytes_per_member() * static_cast<std::size_t>(share),
                                     shape_.staging_begin()));
  });
  if (topology.oversubscribed) return;
  double distance = core_distance(node_, segment_.view(), all);
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &distance, 1, MPI_DOUBLE, MPI_MAX, parent.handle()),
                "MPI_Allreduce");
  cores_are_far_ = distance > far_distance;
}

NodePaths NodeMemory::paths_of(const rt::Communicator& comm) {
  if (!usable_ || taken_ == shares_)
    throw rt::internal_failure("more communicators than planned want to share memory");
  std::vector<int> of_node(static_cast<std::size_t>(node_.size()));
  std::iota(of_node.begin(), of_node.end(), 0);
  const std::vector<int> of_comm = rt::translate(of_node, node_, comm);
  NodePaths paths;
  paths.members.assign(static_cast<std::size_t>(comm.size()), -1);
  std::vector<int> members;
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    if (of_comm[i] < 0) continue;
    paths.members[static_cast<std::size_t>(of_comm[i])] = static_cast<std::int32_t>(members.size());
    members.push_back(of_node[i]);
  }
  const std::size_t offset = shape_.bytes_per_member() * static_cast<std::size_t>(taken_++);
  paths.mailboxes = std::make_unique<Mailboxes>(
      segment_.view().restricted(members, offset, shape_.bytes_per_member()), shape_);
  return paths;
}

}  // namespace cartwright::comm
