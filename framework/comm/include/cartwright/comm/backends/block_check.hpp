// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <string>

namespace cartwright::comm {

/// Of an alltoall with blocks, no rank knows what the others pass. This number sums up to 0 over
/// the ranks if each expects what the others send to it (modulo 2^64, and but for a chance of
/// 2^-64): a hash of sender, receiver and length for each block that is sent, less that of each
/// block that is expected. 0 for all other calls.
[[nodiscard]] std::uint64_t balance_of(const Call& call, rt::Rank me);

/// Collective: about which blocks ranks disagree that have been found to call the same but for
/// these. One line for a rank that disagrees, of a few: "\n  rank 1 sends 4 elements to rank 2,
/// which expects 3", "\n  the block of rank 2 has 5 elements, says rank 2, and 4, says rank 0".
/// Waits a while for ranks that do something else; empty without them.
[[nodiscard]] std::string disputed_blocks(const rt::Communicator& comm, const Call& call);

}  // namespace cartwright::comm
