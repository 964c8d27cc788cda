// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/placement.hpp>
#include <cartwright/mapping/search/levels.hpp>
#include <cartwright/rt/communicator.hpp>
#include <optional>
#include <vector>

namespace cartwright::mapping {

/// What a search needs to know of all ranks, in the order of slots.
struct SlotSurvey {
  std::vector<int> node_sizes;
  std::vector<int>
      l3_sizes;  ///< ranks of each L3 cache, node after node; empty where that says nothing
  std::vector<int> slot_of_rank = {};
};

/// Collective: one allreduce of three numbers a rank. The same on all ranks.
[[nodiscard]] SlotSurvey survey_slots(const rt::Communicator& comm, const Topology& topology);

/// The map of nodes when ranks keep their numbers.
[[nodiscard]] NodeMap nodes_in_order(const GridShape& shape, const SlotSurvey& survey);

/// The map of nodes that a placement makes.
[[nodiscard]] NodeMap nodes_of(const Placement& placement, const GridShape& shape,
                               const SlotSurvey& survey);

/// Tiles with tiles of the L3 caches in them, where these fit; other placements as they are.
[[nodiscard]] Placement with_nested_tiles(const Placement& placement, const GridShape& shape,
                                          const SlotSurvey& survey,
                                          const std::vector<double>& weights);

/// The same nodes for each position as `placement` has, and on each node the ranks of an L3 cache
/// side by side. Tiles get tiles inside where these fit, others a table, by a search.
[[nodiscard]] Placement with_inner_levels(const Placement& placement, const GridShape& shape,
                                          const SlotSurvey& survey,
                                          const std::vector<double>& weights);

/// For ranks that stay on the nodes on which they are in their order: on each node those of an L3
/// cache side by side. Nothing where that leaves no fewer faces between caches. `survey` must know
/// caches.
[[nodiscard]] std::optional<TableOrder> cache_order(const GridShape& shape,
                                                    const SlotSurvey& survey,
                                                    const std::vector<double>& weights);

}  // namespace cartwright::mapping
