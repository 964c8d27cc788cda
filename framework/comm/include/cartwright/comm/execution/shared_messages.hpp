// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/near_and_far_messages.hpp>
#include <cartwright/comm/execution/node_messages.hpp>
#include <cartwright/comm/transport/mailboxes.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// How the ranks of one communicator reach each other: through mailboxes on my
/// node, through MPI elsewhere.
struct SharedChannel {
  Mailboxes& mailboxes;
  /// By rank of the communicator: its number among the members of the
  /// mailboxes, or -1.
  std::vector<std::int32_t> members;
  P2pChannel& remote;
};

/// The messages of a program, on the node through shared memory, to other nodes
/// through MPI.
class SharedMessages : public NearAndFarMessages<NodeMessages> {
 public:
  /// `channel` and `program` must outlive this.
  SharedMessages(SharedChannel& channel, const plan::Program& program, std::size_t element_size)
      : NearAndFarMessages(NodeMessages(channel.mailboxes, channel.members, program, element_size),
                           channel.members, channel.remote, program, element_size) {}
};

static_assert(Messages<SharedMessages>);

}  // namespace cartwright::comm
