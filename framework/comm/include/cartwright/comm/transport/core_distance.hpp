// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>

namespace cartwright::comm {

/// Seconds that a cache line takes from one core to another: the longest of some pairs of ranks
/// (neighbours, and such half the node apart). Collective over `node`, whose ranks must have cores
/// of their own; 10 to 100 µs. Uses the first word at `offset` of each part of the segment, which
/// is 0 before and after.
[[nodiscard]] double core_distance(const rt::Communicator& node, const SegmentView& segment,
                                   std::size_t offset);

}  // namespace cartwright::comm
