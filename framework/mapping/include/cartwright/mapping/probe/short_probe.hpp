// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/rt/communicator.hpp>

namespace cartwright::mapping {

/// The machine where nobody has probed it: the order of magnitude of latency and bandwidth between
/// two nodes, from some milliseconds of messages, rounded, so that it comes out alike each time.
/// The best of the first five runs on these hosts, which are kept beside probed machines; and of
/// four more once small messages take less than a quarter of what they took in all five, on hosts
/// that were busy then. Inside of a node round numbers. Collective over `comm`, for which
/// `topology` was discovered, on several nodes; the same on all ranks.
[[nodiscard]] plan::Machine measured_shortly(const rt::Communicator& comm,
                                             const Topology& topology);

}  // namespace cartwright::mapping
