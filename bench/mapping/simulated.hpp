// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cartwright/plan/models/machine.hpp>

namespace cartwright::bench {

/// The typical machine with nodes of so many cores, all of whose messages leave by one link.
[[nodiscard]] plan::Machine one_link_machine(int cores);
/// The same nodes and cores as `machine` describes, with as many cores a node as are wanted (at
/// least), and nothing around nodes.
[[nodiscard]] plan::Machine with_cores(plan::Machine machine, int cores);

/// Seconds of a halo exchange with `face_bytes` for each neighbour, simulated.
[[nodiscard]] double halo_seconds(const mapping::NodeMap& map, const plan::Machine& machine,
                                  plan::Count face_bytes);

/// Seconds of one broadcast along every line of every axis together, simulated: each line by what
/// comm chooses for it, the axes at once where the model says so.
[[nodiscard]] double broadcast_seconds(const mapping::NodeMap& map, const plan::Machine& machine,
                                       plan::Count bytes);

}  // namespace cartwright::bench
