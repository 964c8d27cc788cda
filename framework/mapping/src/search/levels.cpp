// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/search/anneal.hpp>
#include <cartwright/mapping/search/levels.hpp>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace cartwright::mapping {

namespace {

/// Positions of a set in the order of a serpentine over `axes`, the first one slowest.
std::vector<int> serpentine(const GridShape& shape, std::vector<int> positions,
                            const std::vector<std::size_t>& axes) {
  std::vector<std::pair<long long, int>> keyed;
  for (const int position : positions) {
    const auto x = shape.coordinates_of(position);
    long long key = 0;
    bool back = false;
    for (const std::size_t axis : axes) {
      key = key * shape.dims[axis] + (back ? shape.dims[axis] - 1 - x[axis] : x[axis]);
      back = back != (x[axis] % 2 != 0);
    }
    keyed.emplace_back(key, position);
  }
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t i = 0; i < keyed.size(); ++i) positions[i] = keyed[i].second;
  return positions;
}

/// Splits sets of positions into groups, and remembers how it split sets of the same form.
class Splitter {
 public:
  Splitter(const GridShape& shape, const std::vector<double>& weights)
      : shape_(shape), faces_(shape, weights) {}

  /// The group (0, 1, …) of each of `members`, which are sorted.
  const std::vector<int>& split(const std::vector<int>& members, const std::vector<int>& sizes) {
    const FaceTable faces = faces_.within(members);
    auto [entry, is_new] = known_.try_emplace({neighbours(faces), sizes});
    if (is_new) entry->second = search(members, faces, sizes);
    return entry->second;
  }

 private:
  static std::vector<int> neighbours(const FaceTable& faces) {
    const auto count = static_cast<std::size_t>(faces.positions()) * faces.directions();
    return faces.positions() == 0 ? std::vector<int>{}
                                  : std::vector<int>(faces.of(0), faces.of(0) + count);
  }

  [[nodiscard]] std::vector<int> search(const std::vector<int>& members, const FaceTable& faces,
                                        const std::vector<int>& sizes) const {
    constexpr long long proposals_a_position = 3000;
    std::vector<int> best;
    double least = 0.0;
    std::vector<std::size_t> axes(shape_.dims.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    int tried = 0;
    do {
      const auto groups = cut(members, serpentine(shape_, members, axes), sizes);
      const double cost = faces.cost(groups);
      if (!best.empty() && cost >= least) continue;
      best = groups;
      least = cost;
    } while (std::next_permutation(axes.begin(), axes.end()) && ++tried < 24);
    const Annealing how{.seed = 1,
                        .proposals = proposals_a_position * faces.positions(),
                        .hottest = 0.8,
                        .coldest = 0.15};
    return anneal(faces, std::move(best), static_cast<int>(sizes.size()), how);
  }

  /// Groups of `sizes` along `order`, by member.
  static std::vector<int> cut(const std::vector<int>& members, const std::vector<int>& order,
                              const std::vector<int>& sizes) {
    std::vector<int> groups(members.size());
    std::size_t next = 0;
    for (std::size_t group = 0; group < sizes.size(); ++group) {
      for (int i = 0; i < sizes[group]; ++i, ++next) {
        const auto at = std::lower_bound(members.begin(), members.end(), order[next]);
        groups[static_cast<std::size_t>(at - members.begin())] = static_cast<int>(group);
      }
    }
    return groups;
  }

  const GridShape& shape_;
  FaceTable faces_;
  std::map<std::pair<std::vector<int>, std::vector<int>>, std::vector<int>> known_;
};

/// One group of a level: its slots begin at `first_slot`.
struct Group {
  std::vector<int> members;
  int first_slot;
};

/// The groups of the next level inside `group`: those of `sizes` (in slots) that lie in it.
std::vector<Group> divide(Splitter& splitter, const Group& group, const std::vector<int>& sizes) {
  std::vector<int> inside;
  int slot = 0;
  const int end = group.first_slot + static_cast<int>(group.members.size());
  for (const int size : sizes) {
    if (slot >= group.first_slot && slot + size <= end && size > 0) inside.push_back(size);
    slot += size;
  }
  if (std::accumulate(inside.begin(), inside.end(), group.first_slot) != end || inside.size() < 2) {
    return {group};  // the level doesn't divide this group
  }
  const auto& group_of = splitter.split(group.members, inside);
  std::vector<Group> parts(inside.size());
  int first = group.first_slot;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].first_slot = first;
    first += inside[i];
  }
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    parts[static_cast<std::size_t>(group_of[i])].members.push_back(group.members[i]);
  }
  return parts;
}

}  // namespace

std::vector<int> assign_slots(const NodeMap& map, const InnerLevels& levels,
                              const std::vector<double>& weights) {
  std::vector<Group> groups(static_cast<std::size_t>(map.node_count));
  int first = 0;
  const auto sizes = map.sizes();
  for (std::size_t node = 0; node < groups.size(); ++node) {
    groups[node].first_slot = first;
    first += sizes[node];
  }
  for (std::size_t position = 0; position < map.nodes.size(); ++position) {
    groups[static_cast<std::size_t>(map.nodes[position])].members.push_back(
        static_cast<int>(position));
  }
  Splitter splitter(map.shape, weights);
  for (const auto& level : levels) {
    std::vector<Group> finer;
    for (const Group& group : groups) {
      for (Group& part : divide(splitter, group, level)) finer.push_back(std::move(part));
    }
    groups = std::move(finer);
  }
  std::vector<int> slots(map.nodes.size());
  for (const Group& group : groups) {
    int slot = group.first_slot;
    for (const int position : group.members) slots[static_cast<std::size_t>(position)] = slot++;
  }
  return slots;
}

NodeMap level_map(const GridShape& shape, const std::vector<int>& slots,
                  const std::vector<int>& group_sizes) {
  std::vector<int> positions(slots.size());
  for (std::size_t position = 0; position < slots.size(); ++position) {
    positions[static_cast<std::size_t>(slots[position])] = static_cast<int>(position);
  }
  return fill_along(shape, positions, group_sizes);
}

TableOrder::TableOrder(GridShape shape, std::vector<int> slots, std::string name) {
  Table table{std::move(shape), std::move(slots), {}, std::move(name)};
  table.positions.resize(table.slots.size());
  for (std::size_t position = 0; position < table.slots.size(); ++position) {
    table.positions[static_cast<std::size_t>(table.slots[position])] = static_cast<int>(position);
  }
  table_ = std::make_shared<const Table>(std::move(table));
}

std::vector<int> TableOrder::coordinates(int slot) const {
  return table_->shape.coordinates_of(table_->positions[static_cast<std::size_t>(slot)]);
}

int TableOrder::slot(const std::vector<int>& coordinates) const {
  return table_->slots[static_cast<std::size_t>(table_->shape.rank_of(coordinates))];
}

}  // namespace cartwright::mapping
