// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/compose.hpp>

#include <functional>

namespace cartwright::plan::hierarchical {

/// The levels of a hierarchy as one rank sees them. Each member of a team is represented by a rank:
/// the root, where it is in the member, else the first one.
class LevelView {
 public:
  /// Throws std::invalid_argument when the hierarchy isn't that of the team, or has no such root.
  LevelView(Team team, Root root, const Hierarchy& hierarchy);

  [[nodiscard]] const Team& team() const { return team_; }
  [[nodiscard]] int levels() const { return hierarchy_->levels(); }
  [[nodiscard]] int last() const { return levels() - 1; }
  [[nodiscard]] bool is_root() const { return team_.me == hierarchy_->rank_at(root_place_); }

  /// Whether this rank represents the member of a level in which it is.
  [[nodiscard]] bool represents(int level) const;
  /// Whether it represents the whole team of a level.
  [[nodiscard]] bool leads(int level) const {
    return level == 0 ? is_root() : represents(level - 1);
  }
  /// The places of the largest member that it represents.
  [[nodiscard]] Extent represented() const;

  /// This rank's team on a level on which it represents a member.
  [[nodiscard]] Team team_on(int level, Place place = Place::separate) const;
  /// The member that represents the team: where its rooted operations start or end.
  [[nodiscard]] Root root_on(int level) const {
    return root_of(hierarchy_->team_at(level, place_), level);
  }
  [[nodiscard]] std::function<int(int)> ranks_on(int level) const;
  /// Blocks of the whole that belong to the members, where groups are consecutive.
  [[nodiscard]] std::function<int(int)> blocks_on(int level) const;

  /// Calls body(team, root) for every kind of team on a level, as seen by its rank 0.
  template <class Body>
  void for_each_kind(int level, Body body) const {
    for (const int size : hierarchy_->team_sizes(level)) body(Team{size, 0}, Root{0});
    const Extent team = hierarchy_->team_at(level, root_place_);
    if (const Root root = root_of(team, level); root.rank > 0) body(Team{team.count, 0}, root);
  }

 private:
  [[nodiscard]] int representative(int level, int member) const;
  [[nodiscard]] Root root_of(Extent team, int level) const;

  Team team_;
  const Hierarchy* hierarchy_;
  int place_;
  int root_place_;
};

/// The algorithm of a level; the list begins with level `first`.
const Rooted& algorithm_on(const ByLevel& levels, const Rooted& otherwise, int level, int first);

/// What all ranks have to know of the schedules of a level's teams.
struct LevelShape {
  int rounds = 0;
  int blocks = 1;  ///< of the whole, for theirs to fit in
};
LevelShape shape_on(const LevelView& view, int level, const Rooted& algorithm);
/// A number of blocks in which both fit, exactly where that isn't too large.
int common_blocks(int a, int b);

}  // namespace cartwright::plan::hierarchical
