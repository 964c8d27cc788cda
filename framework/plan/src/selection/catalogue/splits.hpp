// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/split_table.hpp>
#include <memory>

#include "lists.hpp"

// The best splits of a machine as a tuning: what a message costs, in picoseconds
// ("8000000,3000000,0": message, gap, block).
namespace cartwright::plan::catalogue {

/// A table of splits has an entry a rank.
bool splits_are_cheap(const Problem& problem);
Tunings split_tunings(const Problem& problem, const Machine& machine);
/// Throws std::invalid_argument.
std::shared_ptr<const SplitTable> split_table(const Problem& problem, const std::string& tuning);
template <Schedule (*generate)(Team, Root, const SplitTable&)>
Maker rooted_with_splits(const Problem& problem, const std::string& tuning) {
  return [root = problem.root, table = split_table(problem, tuning)](Team team) {
    return generate(team, root, *table);
  };
}
/// The rounds on the longest path of a scatter.
Rounds split_rounds(const Problem& problem, const std::string& tuning);

}  // namespace cartwright::plan::catalogue
