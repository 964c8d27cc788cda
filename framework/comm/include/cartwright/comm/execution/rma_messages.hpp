// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/landing_messages.hpp>
#include <cartwright/comm/execution/near_and_far_messages.hpp>
#include <cartwright/comm/transport/landing_areas.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// How the ranks of one communicator reach each other: on my node, senders put what they have into
/// the receiver's landing area; elsewhere, messages of MPI's.
struct RmaChannel {
  LandingAreas& areas;
  /// By rank of the communicator: its number among the members of the areas, or -1.
  std::vector<std::int32_t> members;
  P2pChannel& remote;
};

/// The messages of a program, one-sided on the node.
class RmaMessages : public NearAndFarMessages<LandingMessages> {
 public:
  /// `channel` and `program` must outlive this.
  RmaMessages(RmaChannel& channel, const plan::Program& program, std::size_t element_size)
      : NearAndFarMessages(LandingMessages(channel.areas, channel.members, program, element_size),
                           channel.members, channel.remote, program, element_size) {}
};

static_assert(Messages<RmaMessages>);

}  // namespace cartwright::comm
