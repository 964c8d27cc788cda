// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/hierarchy.hpp>
#include <functional>

#include "lists.hpp"

// Hierarchical algorithms in the catalogue: their tuning names the sizes of groups of consecutive
// ranks, outermost first.
namespace cartwright::plan::catalogue {

bool more_than_two_ranks(const Problem& problem);

Hierarchy hierarchy_of(int ranks, const std::string& tuning);

/// Makers of hierarchical generators, with and without a root; `Levels` holds their algorithms by
/// level, none: defaults.
template <class Levels, Schedule (*generate)(Team, Root, const Hierarchy&, const Levels&)>
Maker rooted_in_groups(const Problem& problem, const std::string& tuning) {
  return [root = problem.root, groups = hierarchy_of(problem.ranks, tuning)](Team team) {
    return generate(team, root, groups, {});
  };
}
template <class Levels, Schedule (*generate)(Team, const Hierarchy&, const Levels&)>
Maker in_groups(const Problem& problem, const std::string& tuning) {
  return [groups = hierarchy_of(problem.ranks, tuning)](Team team) {
    return generate(team, groups, {});
  };
}

/// The rounds of an algorithm for so many ranks.
using ShapeOf = std::function<Rounds(int ranks)>;

/// Rounds between the outermost groups.
Rounds outer_rounds(int ranks, const std::vector<int>& sizes, const ShapeOf& shape);
/// Rounds inside the groups, level by level inwards.
Rounds inner_rounds(int ranks, const std::vector<int>& sizes, const ShapeOf& shape);

}  // namespace cartwright::plan::catalogue
