// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <cartwright/plan/simulation/placement.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace cartwright::mapping {

/// The core of each position of the grid (which is its rank in simulations): nodes as in `map`, and
/// on each node compact blocks for sockets and caches. Throws an input error if a node of the map
/// has more positions than the machine has cores on one.
[[nodiscard]] plan::Placement place(const NodeMap& map, const plan::Machine& machine);

/// Messages of a halo exchange by the level of the machine at which sender and receiver part.
[[nodiscard]] std::vector<long long> halo_messages_by_level(const NodeMap& map,
                                                            const plan::Machine& machine);

/// What position `rank` does when one broadcast runs along every line of every axis, from position
/// 0 of each: one axis after the other, or all of them side by side. Two-level trees aren't for
/// this: throws std::invalid_argument.
[[nodiscard]] plan::Schedule axis_broadcasts(const GridShape& shape, const AxisSchedule& how,
                                             plan::Count bytes, int rank);

/// The same on all ranks of a modelled machine, message by message. Overlapped axes progress
/// independently (each step runs as soon as its data are there). A chain without a segment takes 64
/// of them.
[[nodiscard]] plan::Simulation simulate_axes(const NodeMap& map, const plan::Machine& machine,
                                             const AxisSchedule& how, plan::Count bytes);

/// What the ranks of one line do, in place; gets the node of each of its positions.
using LineMaker = std::function<plan::Maker(std::size_t axis, std::span<const int> nodes)>;

/// A collective of one vector of `bytes` along every line of every axis, each line by an algorithm
/// of its own: one axis after the other, or all of them side by side, each by itself.
[[nodiscard]] plan::Simulation simulate_lines(const NodeMap& map, const plan::Machine& machine,
                                              const LineMaker& make, plan::Count bytes,
                                              bool overlapped);

/// What position `rank` does in a halo exchange: it sends a block to each neighbour, block `axis`
/// along an axis, and then receives one from each.
[[nodiscard]] plan::Schedule halo_exchange(const GridShape& shape, int rank);

/// A halo exchange on all ranks of a modelled machine, message by message; `face_bytes` by axis.
[[nodiscard]] plan::Simulation simulate_halo(const NodeMap& map, const plan::Machine& machine,
                                             const std::vector<plan::Count>& face_bytes);

}  // namespace cartwright::mapping
