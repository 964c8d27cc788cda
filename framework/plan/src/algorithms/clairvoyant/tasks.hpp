// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <optional>
#include <span>
#include <vector>

// Planners, one file each, and what they have in common.
namespace cartwright::plan::clairvoyant {

/// A rank and when it arrives, in the order in which all ranks see them.
struct Arrival {
  Nanoseconds time = 0;
  int rank = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): the comparison with 0 that the compiler writes
  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

/// By time, then by rank.
std::vector<Arrival> sorted_arrivals(const ArrivalTask& task);
/// As that of a task, of which these are the arrivals.
Nanoseconds earliest_merge(std::span<const Arrival> sorted, Nanoseconds round);

/// The two earliest parts combine, always: optimal for one segment.
TransferPlan atomic_plan(const ArrivalTask& task);
/// Marendic 2016, algorithm 1, repaired.
TransferPlan forward_plan(const ArrivalTask& task, bool is_strict);
/// As atomic_plan, inside of nodes first; these are known.
TransferPlan near_plan(const ArrivalTask& task);
/// A binomial tree whose ranks find out who is there.
TransferPlan redirected_plan(const ArrivalTask& task);
/// From the end backwards. Nothing where that takes longer than until `latest`, and it is clear
/// before a plan is found.
std::optional<TransferPlan> backward_plan(const ArrivalTask& task, Nanoseconds latest);
/// As forward_plan, between neighbours.
TransferPlan ordered_plan(const ArrivalTask& task);

}  // namespace cartwright::plan::clairvoyant
