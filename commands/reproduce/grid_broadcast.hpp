// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cartwright/plan/simulation/placement.hpp>
#include <functional>
#include <vector>

namespace cartwright::reproduce {

/// The schedule of one of a line of ranks, whose first one is the root.
using LineBroadcast = std::function<plan::Schedule(plan::Team)>;

/// Every rank of a process grid takes part in a broadcast along x, then in one along y, and so on,
/// each of data of its own. Rank (x, y, …) is x + p (y + q …).
struct GridBroadcast {
  std::vector<int> dims;
  LineBroadcast line;
  plan::Count block_bytes = 1;  ///< of each block of `line`
};

/// Cores of the ranks of a process grid when each node gets a `tile` of it; empty: ranks fill nodes
/// in order.
plan::Placement placement_of(const std::vector<int>& dims, const std::vector<int>& tile);

/// Seconds on a machine whose nodes get `tile` of the grid each; an empty tile: ranks fill nodes in
/// order.
double simulated_seconds(const GridBroadcast& broadcast, const std::vector<int>& tile,
                         const plan::Machine& machine);

}  // namespace cartwright::reproduce
