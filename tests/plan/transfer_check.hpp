// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/clairvoyant.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::plan::test {

/// What is wrong with a plan, or an empty text. In a round nobody sends or receives twice, sends to
/// itself or sends on what it is receiving; every contribution is combined once, and is at the root
/// in the end; of neighbours only, on the right side, where the operator doesn't commute.
std::string fault_of(const TransferPlan& plan, bool is_ordered = false);

/// When all are done, by rounds: those of a round begin once both ends are there, and a rank goes
/// on once what it sends and receives in the round is through (Marendic 2016, 2.1).
Nanoseconds executed(const TransferPlan& plan, const std::vector<Nanoseconds>& arrivals,
                     Nanoseconds round);

/// ceil(log2 ranks)
int doublings(int ranks);

/// The same ones for a seed, the first at 0. `unit` is the time to which they are related.
enum class Pattern {
  together,
  last_late,
  root_late,
  alternating,
  bernoulli,
  uniform,
  spread,
  gamma
};
inline constexpr Pattern patterns[] = {Pattern::together,    Pattern::last_late, Pattern::root_late,
                                       Pattern::alternating, Pattern::bernoulli, Pattern::uniform,
                                       Pattern::spread,      Pattern::gamma};
std::string_view name_of(Pattern pattern);
std::vector<Nanoseconds> arrivals_of(Pattern pattern, int ranks, int root, Nanoseconds unit,
                                     std::mt19937_64& random);

}  // namespace cartwright::plan::test
