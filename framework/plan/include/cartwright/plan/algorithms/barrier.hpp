// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

/// Nobody leaves before all have entered. Messages are signals. Block 0 stands for the own arrival,
/// each further one for a signal: a signal is sent with all those that came before. P: ranks.
namespace cartwright::plan::barrier {

/// In round i each rank signals to those y (n + 1)^i above, y = 1 … n = `ways`, and awaits those as
/// far below. ceil(log_(n+1) P) rounds. Distances of P and more, which tell nothing new, are left
/// out. Hoefler et al. 2006; Viertel 2007 (B1).
Schedule dissemination(Team team, int ways = 1);

/// Rank 0 learns that all have entered; nobody else learns anything. A tree of which each rank has
/// up to `ways` children in a round: ceil(log_(ways+1) P) rounds. Half of a barrier, for use in
/// a hierarchy.
Schedule fan_in(Team team, int ways = 1);

/// All learn what rank 0 knows: fan_in backwards.
Schedule fan_out(Team team, int ways = 1);

}  // namespace cartwright::plan::barrier
