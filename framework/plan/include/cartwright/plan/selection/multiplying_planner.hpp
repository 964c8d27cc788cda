// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/plan/selection/multiplying_cost.hpp>

#include <cstdint>
#include <string>

namespace cartwright::plan {

/// Which merges the planner considers.
enum class Remainders : std::uint8_t {
  any,
  /// Fewer remaining ranks than the largest factor: with this bound the comparisons of Rüfenacht
  /// 2020, table 5.2, come out.
  below_largest_factor
};

/// The stages chosen for an allreduce by recursive multiplying, and what else could have been.
struct MultiplyingPlan {
  int ranks = 1;
  Stages stages;
  Picoseconds time = 0;       ///< stages_time
  std::int64_t messages = 0;  ///< stages_messages
  Stages heuristic;           ///< what heuristic_stages chooses
  Picoseconds heuristic_time = 0;
  std::string explanation;  ///< a line for people
};

/// The quickest stages in the model of multiplying_cost.hpp, exactly: over all factorisations of
/// the number of ranks, all merges (any core of at least two factors, in any order), and all
/// collapses (any T and M) before any factorisation. Never slower than the heuristic.
///
/// Of equally quick stages those are taken that leave the fewest ranks out of the core (a core rank
/// receives from several of them, which the model doesn't see), then those with the fewest
/// messages, then factors alone before a merge before a collapse of the smallest M, then the
/// greater factor: of the first stage, of the last one, of those between. Times are integers, so
/// nothing ties by rounding, and every rank that has the same parameters finds the same stages:
/// measure on one rank, and broadcast what was measured.
///
/// Time and memory: O(P log² P) operations (less than a millisecond for 4096 ranks, up to a second
/// for a million), 16 bytes a rank.
/// Throws std::invalid_argument for less than one rank, and for parameters that are not physical.
MultiplyingPlan plan_multiplying(int ranks, const MultiplyingParameters& parameters,
                                 Remainders remainders = Remainders::any);

}  // namespace cartwright::plan
