// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/placement.hpp>
#include <cartwright/rt/communicator.hpp>
#include <span>
#include <vector>

namespace cartwright::mapping {

/// Faces of this rank's block, towards +1 along each axis, whose other side is on another node.
[[nodiscard]] std::vector<long long> my_off_node_faces(const GridShape& shape,
                                                       const Placement& placement,
                                                       const Topology& topology);

/// Collective. The sums over all ranks, by axis, for several placements at once: every pair of
/// neighbouring ranks on different nodes counts once (twice where two faces join them around a
/// periodic axis of two ranks). O(dimensions) on each rank and one small allreduce.
[[nodiscard]] std::vector<std::vector<long long>> off_node_faces(
    const rt::Communicator& comm, const GridShape& shape, std::span<const Placement> placements,
    const Topology& topology);

}  // namespace cartwright::mapping
