// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/hierarchy.hpp>
#include <functional>
#include <memory>
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

/// A tuning, read for a problem. Groups are made once, for the schedules of all ranks.
class GroupTuning {
 public:
  /// Throws std::invalid_argument for what can't be read.
  GroupTuning(std::span<const GroupStage> stages, const Problem& problem,
              const std::string& tuning);

  /// Throws std::invalid_argument where the problem's nodes are meant, and it hasn't any.
  [[nodiscard]] const Hierarchy& hierarchy() const;
  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// The algorithm of a stage, for any team.
  [[nodiscard]] hierarchical::Rooted rooted(std::size_t stage) const;
  [[nodiscard]] hierarchical::Flat flat(std::size_t stage) const;
  /// Of all stages, one after the other.
  [[nodiscard]] Rounds rounds() const;

 private:
  [[nodiscard]] Rounds rounds_of(std::size_t stage, int level) const;

  std::span<const GroupStage> stages_;
  Problem problem_;
  std::shared_ptr<const Hierarchy> even_;  // none: the problem's nodes
  std::vector<Choice> choices_;
};

/// Makers of hierarchical generators with a root, of a stage across and one inside, in any order.
template <const auto& stages,
          Schedule (*generate)(Team, Root, const Hierarchy&, const hierarchical::ByLevel&)>
Maker rooted_in_groups(const Problem& problem, const std::string& tuning) {
  return [groups = GroupTuning(stages, problem, tuning)](Team team) {
    constexpr std::size_t between = stages[0].where == across ? 0 : 1;
    return generate(team, groups.problem().root, groups.hierarchy(),
                    {groups.rooted(between), groups.rooted(1 - between)});
  };
}
/// The maker of algorithms with a stage inside of nodes before and after the one across.
template <const auto& stages,
          Schedule (*generate)(Team, const Hierarchy&, const hierarchical::AcrossGroups&)>
Maker in_groups(const Problem& problem, const std::string& tuning) {
  return [groups = GroupTuning(stages, problem, tuning)](Team team) {
    return generate(team, groups.hierarchy(),
                    {groups.flat(1), {groups.rooted(0)}, {groups.rooted(2)}});
  };
}
template <const auto& stages>
Rounds rounds_in_groups(const Problem& problem, const std::string& tuning) {
  return GroupTuning(stages, problem, tuning).rounds();
}

/// Of a shape for so many ranks, inside the groups, level by level inwards.
Rounds inner_rounds(const Hierarchy& groups, const std::function<Rounds(int ranks)>& shape);

/// Whether hierarchical algorithms are worth a thought: nodes that are known suit them, or none
/// are.
bool suits_groups(const Problem& problem);
/// The same, of those that collect blocks of ranks: of one length, or from nodes of consecutive
/// ranks.
bool suits_groups_of_blocks(const Problem& problem);

}  // namespace cartwright::plan::catalogue
