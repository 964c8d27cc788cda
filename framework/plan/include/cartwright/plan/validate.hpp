// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include <span>
#include <string>
#include <vector>

namespace cartwright::plan {

/// Looks for faults in the schedules of all ranks of one operation, by rank. Empty when there are
/// none. Proved are:
/// - every slice lies in its buffer, in ring order; the input isn't written; no copy overlaps
/// itself; an operand
///   that is overwritten is overwritten as a whole;
/// - nothing is read before it was written (in place, the output holds the contribution);
/// - the k-th message from a to b is the k-th that b receives from a, of the same length in
/// elements, and is
///   sent in no later round;
/// - executing all ranks in order ends, even when a send is complete only once its receive has
/// begun. That a slice isn't overwritten while a message may read it holds for any schedule, since
/// the waits for sends are derived (dependencies.hpp). That the result is right is shown by
/// interpret.hpp.
std::vector<std::string> faults(std::span<const Schedule> schedules,
                                std::span<const Layout> layouts);

}  // namespace cartwright::plan
