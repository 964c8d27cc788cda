// SPDX-License-Identifier: Apache-2.0
#include "level_view.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace cartwright::plan::hierarchical {

LevelView::LevelView(Team team, Root root, const Hierarchy& hierarchy)
    : team_(team), hierarchy_(&hierarchy) {
  if (team.ranks != hierarchy.ranks())
    throw std::invalid_argument("the hierarchy is one of " + std::to_string(hierarchy.ranks()) +
                                " ranks, the team has " + std::to_string(team.ranks));
  if (root.rank < 0 || root.rank >= team.ranks)
    throw std::invalid_argument("a team of " + std::to_string(team.ranks) + " ranks has no root " +
                                std::to_string(root.rank));
  place_ = hierarchy.place_of(team.me);
  root_place_ = hierarchy.place_of(root.rank);
}

bool LevelView::represents(int level) const {
  return representative(level, hierarchy_->member_at(level, place_)) == place_;
}

Extent LevelView::represented() const {
  int level = 0;
  while (!represents(level)) ++level;
  const int member = hierarchy_->member_at(level, place_);
  const int first = hierarchy_->first_place(level, member);
  return {first, hierarchy_->first_place(level, member + 1) - first};
}

Team LevelView::team_on(int level, Place place) const {
  const Extent team = hierarchy_->team_at(level, place_);
  return {team.count, hierarchy_->member_at(level, place_) - team.first, place};
}

std::function<int(int)> LevelView::ranks_on(int level) const {
  return [view = *this, level, first = hierarchy_->team_at(level, place_).first](int member) {
    return view.hierarchy_->rank_at(view.representative(level, first + member));
  };
}

std::function<int(int)> LevelView::blocks_on(int level) const {
  return [this, level, first = hierarchy_->team_at(level, place_).first](int member) {
    return hierarchy_->first_place(level, first + member);
  };
}

int LevelView::representative(int level, int member) const {
  const int first = hierarchy_->first_place(level, member);
  const bool has_root =
      first <= root_place_ && root_place_ < hierarchy_->first_place(level, member + 1);
  return has_root ? root_place_ : first;
}

Root LevelView::root_of(Extent team, int level) const {
  const int member = hierarchy_->member_at(level, root_place_) - team.first;
  return {member >= 0 && member < team.count ? member : 0};
}

const Rooted& algorithm_on(const ByLevel& levels, const Rooted& otherwise, int level, int first) {
  if (levels.empty()) return otherwise;
  return levels[std::min(static_cast<std::size_t>(level - first), levels.size() - 1)];
}

LevelShape shape_on(const LevelView& view, int level, const Rooted& algorithm) {
  LevelShape shape;
  view.for_each_kind(level, [&](Team team, Root root) {
    const Schedule schedule = algorithm(team, root);
    shape.rounds = std::max(shape.rounds, schedule.rounds());
    shape.blocks = common_blocks(shape.blocks, schedule.blocks());
  });
  return shape;
}

int common_blocks(int a, int b) {
  constexpr std::int64_t most = 4096;
  const std::int64_t common = std::lcm<std::int64_t, std::int64_t>(a, b);
  return common <= most ? static_cast<int>(common) : std::max(a, b);
}

}  // namespace cartwright::plan::hierarchical
