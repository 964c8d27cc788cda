// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/plan/selection/multiplying_cost.hpp>

#include <cstdint>
#include <vector>

namespace cartwright::plan {

/// In which order the heuristic tries the factors.
enum class FactorOrder : std::uint8_t {
  quickest_first,  ///< by a stage's time for its share of log P (Rüfenacht's heuristic)
  largest_first    ///< his "unsorted" variant
};

/// The largest factor, up to `most`, whose stages are no slower than those of factor 2 for their
/// share of log P: floor(b_upper) + 1.
int largest_useful_factor(const MultiplyingParameters& parameters, int most);

/// The factors from 2 to largest_useful_factor(parameters, most) in that order. With
/// quickest_first, the first one is the best factor.
std::vector<int> factor_candidates(const MultiplyingParameters& parameters, int most,
                                   FactorOrder order = FactorOrder::quickest_first);

/// The stages for a number of ranks by the heuristic of Rüfenacht 2020, section 5.5: the fewest
/// remaining ranks r for which P - r is a product of candidates, each taken as often as it divides.
/// Where that gives remaining ranks and only one factor, which can't be (a remaining rank would
/// miss its own stage), the factor is split in two, or if it is a prime all ranks take one stage.
/// No stage for one rank.
Stages heuristic_stages(int ranks, const MultiplyingParameters& parameters,
                        FactorOrder order = FactorOrder::quickest_first);

/// Recursive doubling: factors 2, for other ranks than powers of two between a collapse and an
/// expansion of pairs.
Stages doubling_stages(int ranks);

}  // namespace cartwright::plan
