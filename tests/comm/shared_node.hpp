// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/execution/shared_messages.hpp>
#include <cartwright/comm/transport/leased_segment.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>

namespace cartwright::comm::test {

/// All ranks of the job on one node, or on virtual ones of so many ranks.
struct SharedNode {
  SharedNode(const MailboxShape& wanted, int node_size)
      : world(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        first(world.rank().value / node_size * node_size),
        here(world.split(first, 0)),
        shape(wanted),
        lease(rt::Arena(here).lease(here, shape.bytes_per_member()).value()),
        mailboxes(view_of(lease, here), shape),
        remote(world),
        channel{mailboxes, {}, remote} {
    for (int rank = 0; rank < world.size(); ++rank) {
      const int member = rank - first;
      channel.members.push_back(member >= 0 && member < here.size() ? member : -1);
    }
  }

  rt::Communicator world;
  int first;
  rt::Communicator here;
  MailboxShape shape;
  rt::Lease lease;
  Mailboxes mailboxes;
  P2pChannel remote;
  SharedChannel channel;
  std::uint64_t sequence = 0;
};

}  // namespace cartwright::comm::test
