// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/probe/cost_matrix.hpp>
#include <cartwright/mapping/probe/probe_samples.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Groups that the costs show, from the outermost in: groups, groups in groups… Each entry numbers
/// the groups of all cores. Empty if all cores are alike. Cores may come in any order.
[[nodiscard]] std::vector<std::vector<int>> nested_groups(const CostMatrix& costs);

/// What the system says of the probed ranks, by index in `ranks`.
struct ProbedPlaces {
  std::vector<int> ranks;
  std::vector<Place> places;
  bool is_virtual = false;
  bool oversubscribed = false;  ///< ranks share cores or may move: times say nothing of places
};

/// Collective. All ranks if there are at most `most`; otherwise as many of at least two whole nodes
/// (or of parts of them) as fit, the same on every rank.
[[nodiscard]] ProbedPlaces choose_probed(const rt::Communicator& comm, const Topology& topology,
                                         int most);

/// Levels from measured costs, named after what the system knows to lie there. Nodes come from the
/// system where times can't show them: imagined ones, and when ranks share cores. `sizes` of
/// nodes and ranks are those of the whole machine. Differences are noted.
[[nodiscard]] ProbeHierarchy hierarchy_from(const CostMatrix& costs, const ProbedPlaces& probed,
                                            const Topology& topology);

/// The level at which two probed ranks (by index) part; levels.size() if they never do.
[[nodiscard]] std::size_t parting_level(const ProbeHierarchy& hierarchy, std::size_t a,
                                        std::size_t b);

}  // namespace cartwright::mapping
