// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/hierarchy.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lists.hpp"

// Hierarchical algorithms in the catalogue. Their tuning names groups of ranks: sizes of groups of
// consecutive ranks, outermost first ("24,12"), or the problem's own ("nodes"). Behind a colon
// stands which algorithm runs in each stage ("nodes: n_way_binomial(3) | ring | linear"); without
// that, defaults.
namespace cartwright::plan::catalogue {

using enum GroupStage::Where;

class GroupTuning {
 public:
  /// Throws std::invalid_argument for what can't be read.
  GroupTuning(std::span<const GroupStage> stages, const std::string& tuning);

  /// Throws std::invalid_argument where the problem's nodes are meant, and it hasn't any.
  [[nodiscard]] Hierarchy hierarchy(const Problem& problem) const;
  /// The algorithm of a stage, for any team.
  [[nodiscard]] hierarchical::Rooted rooted(std::size_t stage, const Problem& problem) const;
  [[nodiscard]] hierarchical::Flat flat(std::size_t stage, const Problem& problem) const;
  /// Of all stages, one after the other.
  [[nodiscard]] Rounds rounds(const Problem& problem) const;

 private:
  [[nodiscard]] Rounds rounds_of(std::size_t stage, const Problem& problem, const Hierarchy& groups,
                                 int level) const;

  std::span<const GroupStage> stages_;
  std::vector<int> sizes_;  // empty: the problem's nodes
  std::vector<Choice> choices_;
};

/// Of a shape for so many ranks, inside the groups, level by level inwards.
Rounds inner_rounds(const Hierarchy& groups, const std::function<Rounds(int ranks)>& shape);

/// Whether hierarchical algorithms are worth a thought: nodes that are known suit them, or none
/// are.
bool suits_groups(const Problem& problem);
/// The same, of those that collect blocks of ranks: nodes of consecutive ranks.
bool suits_consecutive_groups(const Problem& problem);

}  // namespace cartwright::plan::catalogue
