// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lists.hpp"

// Factors of the number of ranks as a tuning: "4,4,2".
namespace cartwright::plan::catalogue {

/// Throws std::invalid_argument.
std::vector<int> factors_of(const std::string& tuning);
/// More than one rank, and no prime factor above 16.
bool has_small_factors(const Problem& problem);
/// One greedy factorisation for each largest radix that changes it.
Tunings factor_tunings(const Problem& problem, const Machine& machine);
/// A reduce-scatter in stages: of each factor an f-th of what the stage before has left. At least
/// one.
Rounds factor_rounds(const Problem& problem, const std::string& tuning);

}  // namespace cartwright::plan::catalogue
