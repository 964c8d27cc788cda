// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/selection/catalogue.hpp>

#include <optional>
#include <vector>

namespace cartwright::plan {

/// Teams of which many do the same at the same time, as the lines of a process grid do: every rank
/// is in one along each axis.
struct Crowd {
  int node_ranks = 1;   ///< of all teams, on a node
  int collectives = 2;  ///< that a rank has under way
};

/// Time of a choice in a crowd, on the nodes of the problem, which must be known, simulated: each
/// rank does as much at once as it has collectives under way, and what leaves a node is shared with
/// its other teams. Nothing for schedules of so many steps that this takes long.
[[nodiscard]] std::optional<Picoseconds> time_in_crowd(const Problem& problem,
                                                       const Machine& machine, const Crowd& crowd,
                                                       const Choice& choice);

/// Broadcasts in whole messages that are worth a comparison: by nodes, and trees of all ranks. The
/// first of equally quick ones is taken, which keeps to the node.
[[nodiscard]] std::vector<Choice> broadcasts_in_crowd(const Problem& problem);

/// The one of broadcasts_in_crowd() that is quickest in a crowd, if it is clearly quicker than the
/// usual choice: formulas know neither where the ranks of each node stand in the team, nor that
/// leaders of two teams have two collectives to serve. The usual one where ranks of a node aren't
/// known, or each is alone on its own. Pure: the same on all ranks.
[[nodiscard]] Choice quickest_in_crowd(const Problem& problem, const Machine& machine,
                                       const Crowd& crowd, const Choice& usual);

}  // namespace cartwright::plan
