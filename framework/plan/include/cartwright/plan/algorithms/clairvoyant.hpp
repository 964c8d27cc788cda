// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/transfer_plan.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Reductions whose order follows from when the ranks arrive (Marendic et al. 2016). Times are
/// whole nanoseconds and ties go by rank: all ranks find the same plan.
namespace cartwright::plan {

using Nanoseconds = std::int64_t;

/// What is to be planned.
struct ArrivalTask {
  int ranks = 1;
  int root = 0;
  int segments = 1;
  Nanoseconds round = 1;                    ///< to send a segment and to combine it
  std::span<const Nanoseconds> arrivals{};  ///< by rank; empty: all together
  std::span<const int> nodes{};             ///< by rank, for the rule `near`; empty: not known
};

/// How many segments plans have at most that nobody asked for by name: each rank plans for all, and
/// so many messages take it some 20 ms.
[[nodiscard]] constexpr int affordable_segments(int ranks) {
  constexpr int most_messages = 300'000;
  return std::max(1, most_messages / ranks);
}

/// How a plan is found.
enum class PlanRule : std::uint8_t {
  grouped,   ///< by Marendic's algorithm 1, repaired: those who are there within a round give away
  strict,    ///< the same, with those who are there before a round is over
  backward,  ///< from the end backwards, late ranks first: for arrivals that are spread out
  ordered,   ///< as grouped, neighbours only: for operators that don't commute
  near,      ///< as strict, inside of a node first, and between nodes towards the root's
  redirect,  ///< no forecast, one segment: a binomial tree that goes round whoever isn't there
};

[[nodiscard]] std::string_view name_of(PlanRule rule);
[[nodiscard]] std::optional<PlanRule> plan_rule_named(std::string_view name);

/// A plan in which each rank sends one segment and receives one in a round. Of one segment, for an
/// operator that commutes, it is optimal: always the two earliest parts combine (see
/// earliest_merge). With all together and n = ceil(log2 ranks) it has n + segments - 1 rounds, the
/// least there can be; rarely one more. Throws std::invalid_argument for a task that is none.
[[nodiscard]] TransferPlan clairvoyant_plan(const ArrivalTask& task, PlanRule rule);

/// The same plan, or nothing where it is soon clear that it ends after `latest`.
[[nodiscard]] std::optional<TransferPlan> clairvoyant_plan_until(const ArrivalTask& task,
                                                                 PlanRule rule, Nanoseconds latest);

/// When the parts of all ranks, of one segment, can be combined: the least T with
/// sum 2^-floor((T - a) / round) <= 1 over arrivals a (Huffman's tree, with max and +).
[[nodiscard]] Nanoseconds earliest_merge(const ArrivalTask& task);
/// No plan ends earlier: earliest_merge, and a round for each further segment that the root gets.
[[nodiscard]] Nanoseconds earliest_end(const ArrivalTask& task);

}  // namespace cartwright::plan
