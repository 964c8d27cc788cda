// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/selection/catalogue.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace cartwright::plan {

/// Which algorithm a part of the ranks uses for its part of a problem.
using Rule = std::function<Choice(const Problem&)>;

/// What a stage of a hierarchical algorithm is to its own team of so many members: the whole vector
/// or, where blocks belong to ranks, those of the ranks for which a member stands.
[[nodiscard]] Problem stage_problem(const GroupStage& stage, const Problem& whole, int members,
                                    int ranks_of_member);

/// The hierarchical algorithm over the problem's nodes: `hierarchical(nodes: n_way_binomial(3) |
/// ring | linear)`, with what the rules say between nodes and inside of the largest one. Nothing
/// where nodes aren't known, all ranks are on one, each is on its own, or there is no such
/// algorithm.
[[nodiscard]] std::optional<Choice> choice_by_nodes(const Problem& problem, const Rule& across,
                                                    const Rule& inside);

/// Hierarchical algorithms over the problem's nodes that are worth a trial: the `of_each` quickest
/// between nodes, each with the `of_each` quickest inside of them, as the machine's model says; no
/// two are the same. None where choice_by_nodes() has none.
[[nodiscard]] std::vector<Choice> likely_by_nodes(const Problem& problem, const Machine& machine,
                                                  std::size_t of_each);

/// Between its outermost units only: for teams of ranks of which no two share one.
[[nodiscard]] Machine outermost_level(const Machine& machine);

}  // namespace cartwright::plan
