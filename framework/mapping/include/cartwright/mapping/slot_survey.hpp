// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/levels.hpp>
#include <cartwright/mapping/placement.hpp>
#include <cartwright/mapping/topology.hpp>
#include <cartwright/rt/communicator.hpp>
#include <optional>
#include <vector>

namespace cartwright::mapping {

/// What a search needs to know of all ranks, in the order of slots.
struct SlotSurvey {
  std::vector<int> node_sizes;
  std::vector<int>
      l3_sizes;  ///< ranks of each L3 cache, node after node; empty where that says nothing
};

/// Collective: one allreduce of two numbers a rank. The same on all ranks.
[[nodiscard]] SlotSurvey survey_slots(const rt::Communicator& comm, const Topology& topology);

/// The same nodes for each position as `placement` has, and on each node the ranks of an L3 cache
/// side by side. Tiles get tiles inside where these fit, others a table.
[[nodiscard]] Placement with_inner_levels(const Placement& placement, const GridShape& shape,
                                          const SlotSurvey& survey,
                                          const std::vector<double>& weights);

/// For ranks that stay on the nodes on which they are in their order: on each node those of an L3
/// cache side by side. Nothing where that leaves no fewer faces between caches. Collective;
/// `survey` must know caches.
[[nodiscard]] std::optional<TableOrder> cache_order(const rt::Communicator& comm,
                                                    const Topology& topology,
                                                    const GridShape& shape,
                                                    const SlotSurvey& survey,
                                                    const std::vector<double>& weights);

}  // namespace cartwright::mapping
