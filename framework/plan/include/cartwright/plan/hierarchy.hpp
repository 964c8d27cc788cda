// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/step.hpp>

#include <span>
#include <vector>

namespace cartwright::plan {

/// Ranks in groups, and groups in groups: nodes, sockets … Groups of any sizes. Level 0 is between
/// the outermost groups, level 1 between what these consist of, and so on to the last level,
/// between the ranks of an innermost group. On a level, a *team* is what makes up one group of the
/// level above; its members are groups, or ranks on the last level.
///
/// Ranks have places such that every group is consecutive places; mostly the place is the rank.
class Hierarchy {
 public:
  /// No groups: one level.
  explicit Hierarchy(int ranks = 1);
  /// Groups of consecutive ranks, all but a last one of the same size. {24, 12}: nodes of 24 ranks,
  /// in them sockets of 12. Throws std::invalid_argument unless sizes are positive and don't grow.
  static Hierarchy even(int ranks, std::span<const int> group_sizes);
  /// Groups of consecutive ranks by their first ranks, outermost level first: {{0, 5}, {0, 3, 5}}.
  /// Throws std::invalid_argument unless each list ascends from 0 and holds the one before it.
  static Hierarchy starting_at(int ranks, const std::vector<std::vector<int>>& first_ranks);
  /// Any groups: names[level][rank] is a number of the rank's group, outermost level first. Inner
  /// groups of different outer groups are different.
  static Hierarchy named(const std::vector<std::vector<int>>& names);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] int levels() const { return static_cast<int>(firsts_.size()) + 1; }
  /// True when every group is consecutive ranks, in order.
  [[nodiscard]] bool consecutive() const { return ranks_at_.empty(); }
  /// The same groups, of places instead of ranks: consecutive.
  [[nodiscard]] Hierarchy of_places() const { return {ranks_, firsts_, {}}; }

  [[nodiscard]] int rank_at(int place) const {
    return consecutive() ? place : ranks_at_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] int place_of(int rank) const {
    return consecutive() ? rank : places_of_[static_cast<std::size_t>(rank)];
  }

  /// First place of a member; members are counted through all teams of a level. Of the number of
  /// members: the number of ranks.
  [[nodiscard]] int first_place(int level, int member) const;
  /// The member of a level that holds a place.
  [[nodiscard]] int member_at(int level, int place) const;
  /// The members of the team on a level in which a place is.
  [[nodiscard]] Extent team_at(int level, int place) const;
  /// Members of a level, of all its teams.
  [[nodiscard]] int members(int level) const { return member_at(level, ranks_ - 1) + 1; }
  /// Ranks of the largest member of a level.
  [[nodiscard]] int largest_member(int level) const;
  /// Numbers of members that teams of a level have, each once.
  [[nodiscard]] std::span<const int> team_sizes(int level) const {
    return team_sizes_[static_cast<std::size_t>(level)];
  }

 private:
  Hierarchy(int ranks, std::vector<std::vector<int>> firsts, std::vector<int> ranks_at);

  int ranks_ = 1;
  std::vector<std::vector<int>>
      firsts_;                  // by level but the last: first places of groups, and the end
  std::vector<int> ranks_at_;   // by place; empty: the same
  std::vector<int> places_of_;  // by rank
  std::vector<std::vector<int>> team_sizes_;
};

}  // namespace cartwright::plan
