// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/hierarchy.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cartwright::plan {

namespace {

void require_starts(int ranks, const std::vector<std::vector<int>>& firsts) {
  for (std::size_t level = 0; level < firsts.size(); ++level) {
    const auto& starts = firsts[level];
    const bool ascends = !starts.empty() && starts.front() == 0 && starts.back() < ranks &&
                         std::ranges::adjacent_find(starts, std::greater_equal<>{}) == starts.end();
    if (!ascends)
      throw std::invalid_argument(
          "first ranks of groups have to ascend from 0, below the number "
          "of ranks");
    if (level > 0 && !std::ranges::includes(starts, firsts[level - 1]))
      throw std::invalid_argument("a group has to lie in one group of the level above");
  }
}

std::vector<std::vector<int>> with_ends(std::vector<std::vector<int>> firsts, int ranks) {
  for (auto& starts : firsts) starts.push_back(ranks);
  return firsts;
}

// Names of groups in groups, as the first rank of each: such that groups stand in the order of
// their ranks.
std::vector<std::vector<int>> first_ranks(const std::vector<std::vector<int>>& names) {
  std::vector<std::vector<int>> firsts(names.size());
  for (std::size_t level = 0; level < names.size(); ++level) {
    std::map<std::pair<int, int>, int> first_of;
    for (std::size_t r = 0; r < names[level].size(); ++r) {
      const int outer = level == 0 ? 0 : firsts[level - 1][r];
      firsts[level].push_back(
          first_of.try_emplace({outer, names[level][r]}, static_cast<int>(r)).first->second);
    }
  }
  return firsts;
}

}  // namespace

Hierarchy::Hierarchy(int ranks) : Hierarchy(ranks, {}, {}) {}

Hierarchy::Hierarchy(int ranks, std::vector<std::vector<int>> firsts, std::vector<int> ranks_at)
    : ranks_(ranks), firsts_(std::move(firsts)), ranks_at_(std::move(ranks_at)) {
  if (ranks < 1) throw std::invalid_argument("a hierarchy needs a rank");
  places_of_.resize(ranks_at_.size());
  for (std::size_t place = 0; place < ranks_at_.size(); ++place)
    places_of_[static_cast<std::size_t>(ranks_at_[place])] = static_cast<int>(place);
  for (int level = 0; level < levels(); ++level) {
    auto& sizes = team_sizes_.emplace_back();
    for (int place = 0; place < ranks_;) {
      const Extent team = team_at(level, place);
      sizes.push_back(team.count);
      place = first_place(level, team.first + team.count);
    }
    std::ranges::sort(sizes);
    const auto repeated = std::unique(sizes.begin(), sizes.end());
    sizes.erase(repeated, sizes.end());
  }
}

Hierarchy Hierarchy::even(int ranks, std::span<const int> group_sizes) {
  std::vector<std::vector<int>> firsts;
  int outer = group_sizes.empty() ? ranks : std::max(ranks, group_sizes[0]);
  for (const int size : group_sizes) {
    if (size < 1 || size > outer)
      throw std::invalid_argument("sizes of groups have to be positive and not to grow inwards");
    auto& starts = firsts.emplace_back();
    for (int group = 0; group < ranks; group += outer)
      for (int r = group; r < std::min(group + outer, ranks); r += size) starts.push_back(r);
    outer = size;
  }
  return {ranks, with_ends(std::move(firsts), ranks), {}};
}

Hierarchy Hierarchy::starting_at(int ranks, const std::vector<std::vector<int>>& first_ranks) {
  require_starts(ranks, first_ranks);
  return {ranks, with_ends(first_ranks, ranks), {}};
}

Hierarchy Hierarchy::named(const std::vector<std::vector<int>>& names) {
  if (names.empty() || names[0].empty())
    throw std::invalid_argument("a hierarchy needs the groups of its ranks");
  for (const auto& level : names)
    if (level.size() != names[0].size())
      throw std::invalid_argument("each level has to name the groups of all ranks");
  const auto ranks = static_cast<int>(names[0].size());
  const auto groups = first_ranks(names);
  std::vector<int> order(names[0].size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    for (const auto& level : groups) {
      const int of_a = level[static_cast<std::size_t>(a)];
      const int of_b = level[static_cast<std::size_t>(b)];
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  });
  std::vector<std::vector<int>> firsts(groups.size());
  for (std::size_t level = 0; level < groups.size(); ++level)
    for (int place = 0, last = -1; place < ranks; ++place) {
      const int group =
          groups[level][static_cast<std::size_t>(order[static_cast<std::size_t>(place)])];
      if (group != std::exchange(last, group)) firsts[level].push_back(place);
    }
  if (std::ranges::is_sorted(order)) order.clear();
  return {ranks, with_ends(std::move(firsts), ranks), std::move(order)};
}

int Hierarchy::first_place(int level, int member) const {
  if (level == levels() - 1) return member;
  return firsts_[static_cast<std::size_t>(level)][static_cast<std::size_t>(member)];
}

int Hierarchy::member_at(int level, int place) const {
  if (level == levels() - 1) return place;
  const auto& firsts = firsts_[static_cast<std::size_t>(level)];
  return static_cast<int>(std::ranges::upper_bound(firsts, place) - firsts.begin()) - 1;
}

int Hierarchy::largest_member(int level) const {
  int largest = 1;
  for (int member = 0; member < members(level); ++member)
    largest = std::max(largest, first_place(level, member + 1) - first_place(level, member));
  return largest;
}

Extent Hierarchy::team_at(int level, int place) const {
  const int outer = level == 0 ? 0 : member_at(level - 1, place);
  const int begin = level == 0 ? 0 : first_place(level - 1, outer);
  const int end = level == 0 ? ranks_ : first_place(level - 1, outer + 1);
  const int first = member_at(level, begin);
  // The place behind the last one is in no member.
  const int last = member_at(level, end - 1);
  return {first, last + 1 - first};
}

}  // namespace cartwright::plan
