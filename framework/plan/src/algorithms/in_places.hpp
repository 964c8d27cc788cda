// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/hierarchy.hpp>
#include <cartwright/plan/schedule.hpp>

#include <functional>

namespace cartwright::plan::hierarchical {

/// Which blocks a rank has of a collective's input and output: its own, those of all, or none.
enum class Share { none, own, all };

/// A schedule for groups of any ranks, from one for groups of consecutive ranks: who sits at a
/// place does what `by_place` makes for that place. Blocks travel in the order of places; a rank
/// that has those of all puts them into that order first, and back into the order of ranks at the
/// end. So all blocks must be of one length.
Schedule in_places(Team team, const Hierarchy& hierarchy, Share input, Share output,
                   const std::function<Schedule(Team, const Hierarchy&)>& by_place);

}  // namespace cartwright::plan::hierarchical
