// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/hierarchy.hpp>
#include <cartwright/plan/schedule.hpp>

#include <functional>
#include <vector>

/// Collective operations level by level of a hierarchy: every group has a leader, its first rank,
/// or the root where it is in it, and only leaders talk to other groups. Any number of levels,
/// groups of any sizes, any root. Throw std::invalid_argument when the hierarchy is of other ranks.
///
/// Which algorithm runs on a level is a parameter; it runs in all teams of the level at the same
/// time. Rounds are those of the levels, of the largest team of each, added up. With trees, each
/// group is entered (or left) by one message. (Karonis et al. 2000)
///
namespace cartwright::plan::hierarchical {

using Flat = std::function<Schedule(Team)>;
using Rooted = std::function<Schedule(Team, Root)>;

/// An algorithm for each level, outermost first. The last one is also that of all levels further
/// in; none: a default.
using ByLevel = std::vector<Rooted>;

/// Level by level inwards. Vectors are cut such that the blocks of all levels fit in. Any groups.
/// Default: binomial.
Schedule broadcast(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels = {});

/// Level by level outwards. Any operator where groups are consecutive ranks and the algorithms of
/// all levels take any; else commutative operators only. Default: binomial.
Schedule reduce(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels = {});

/// Level by level outwards. Any groups; where they aren't consecutive ranks, blocks of the same
/// length only. Default: recursive splitting.
Schedule gather(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels = {});

/// Level by level inwards. Groups as in `gather`. Default: recursive splitting.
Schedule scatter(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels = {});

/// Something between the outermost groups, on level 0, before and after which come rooted
/// operations inside them: lists that begin with level 1.
struct AcrossGroups {
  Flat across{};
  ByLevel before{};
  ByLevel after{};
};

/// Reduction to the leader of each outermost group, allreduce between leaders, broadcast. Operators
/// as in `reduce`. Defaults: binomial, recursive doubling, binomial.
Schedule allreduce(Team team, const Hierarchy& hierarchy, const AcrossGroups& algorithms = {});

/// Gathering by the leader of each outermost group, allgather of groups between leaders, broadcast
/// of everything. Groups as in `gather`. Defaults: recursive splitting, ring, binomial.
Schedule allgather(Team team, const Hierarchy& hierarchy, const AcrossGroups& algorithms = {});

/// Reduction to the leader of each outermost group, reduce-scatter of groups between leaders,
/// scattering in groups. Groups as in `gather`, operators as in `reduce`. Defaults: binomial,
/// pairwise, recursive splitting.
Schedule reduce_scatter(Team team, const Hierarchy& hierarchy, const AcrossGroups& algorithms = {});

/// Any outermost groups; blocks of the same length only. One message from each group to each other
/// one: with all blocks of all its ranks, gathered by an agent, and dealt out by an agent there.
/// The ranks of a group take turns at being the agent. No use is made of inner groups.
Schedule alltoall(Team team, const Hierarchy& hierarchy);

/// Signals to leaders, between leaders, from leaders.
struct BarrierLevels {
  Flat across{};  ///< on level 0. Default: dissemination
  Flat before{};  ///< to rank 0 of the team on all others. Default: barrier::fan_in
  Flat after{};   ///< from rank 0 of the team on all others. Default: barrier::fan_out
};

/// Any groups.
Schedule barrier(Team team, const Hierarchy& hierarchy, const BarrierLevels& algorithms = {});

}  // namespace cartwright::plan::hierarchical
