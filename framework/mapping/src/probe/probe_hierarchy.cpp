// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace cartwright::mapping {
namespace {

using Groups = std::vector<int>;

struct PlaceKind {
  const char* name;
  int Place::*number;
};
constexpr std::array<PlaceKind, 4> kinds{{{"node", &Place::node},
                                          {"socket", &Place::package},
                                          {"numa", &Place::numa},
                                          {"l3", &Place::l3}}};

/// Equal for equal partitions: groups numbered as they first appear.
template <class Key>
Groups canonical(const std::vector<Key>& keys) {
  std::map<Key, int> numbers;
  Groups groups;
  groups.reserve(keys.size());
  for (const Key& key : keys)
    groups.push_back(numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second);
  return groups;
}

/// Units of a kind on different nodes are different, whatever their numbers.
Groups groups_of(const ProbedPlaces& probed, const PlaceKind& kind) {
  std::vector<std::pair<int, int>> keys;
  for (const Place& place : probed.places) keys.emplace_back(place.node, place.*kind.number);
  return canonical(keys);
}

bool splits(const Groups& groups) {
  return std::ranges::any_of(groups, [&](int group) { return group != groups.front(); });
}

/// The levels that the system names; of real ranks that share cores only nodes are certain.
std::vector<ProbeLevel> named_levels(const ProbedPlaces& probed) {
  std::vector<ProbeLevel> levels;
  Groups coarser(probed.ranks.size(), 0);
  for (const PlaceKind& kind : kinds) {
    if (!probed.is_virtual && std::string_view(kind.name) != "node") break;
    Groups groups = groups_of(probed, kind);
    if (groups == coarser) continue;
    coarser = groups;
    levels.push_back({kind.name, std::move(groups)});
  }
  return levels;
}

std::string name_of_groups(const Groups& groups, const ProbedPlaces& probed,
                           const std::vector<ProbeLevel>& outer) {
  for (const PlaceKind& kind : kinds)
    if (groups_of(probed, kind) == groups) return kind.name;
  const auto unnamed = std::ranges::count_if(
      outer, [](const ProbeLevel& level) { return level.name.starts_with("group"); });
  return unnamed == 0 ? "group" : fmt::format("group{}", unnamed + 1);
}

std::vector<ProbeLevel> measured_levels(const CostMatrix& costs, const ProbedPlaces& probed,
                                        std::vector<std::string>& notes) {
  std::vector<ProbeLevel> levels;
  for (const Groups& groups : nested_groups(costs)) {
    const Groups same = canonical(groups);
    levels.push_back({name_of_groups(same, probed, levels), same});
  }
  const Groups nodes = groups_of(probed, kinds.front());
  if (!splits(nodes)) return levels;
  if (levels.empty()) {
    notes.emplace_back("nodes don't show in the times of messages: the system's are taken");
    return named_levels(probed);
  }
  if (std::ranges::none_of(levels, [&](const auto& level) { return level.unit_of == nodes; }))
    notes.emplace_back(
        "the measured groups are not the nodes that the system names: the measured "
        "ones are taken");
  return levels;
}

/// Units of a level in each unit of the level above: fewest and most.
std::pair<int, int> units_in_parents(const Groups& inner, const Groups& outer) {
  std::map<int, std::set<int>> units;
  for (std::size_t i = 0; i < inner.size(); ++i) units[outer[i]].insert(inner[i]);
  const auto [fewest, most] =
      std::ranges::minmax_element(units, {}, [](const auto& entry) { return entry.second.size(); });
  return {static_cast<int>(fewest->second.size()), static_cast<int>(most->second.size())};
}

/// Counts units; drops a level that splits nothing.
void set_sizes(ProbeHierarchy& hierarchy) {
  std::vector<ProbeLevel> kept;
  for (ProbeLevel& level : hierarchy.levels) {
    if (kept.empty()) {
      hierarchy.sizes.push_back(0);  // as many as it takes
      kept.push_back(std::move(level));
      continue;
    }
    const auto [fewest, most] = units_in_parents(level.unit_of, kept.back().unit_of);
    if (most == 1) continue;
    if (fewest != most)
      hierarchy.notes.push_back(fmt::format(
          "from {} to {} units '{}' in one '{}': the machine is described with the most", fewest,
          most, level.name, kept.back().name));
    hierarchy.sizes.push_back(most);
    kept.push_back(std::move(level));
  }
  hierarchy.levels = std::move(kept);
}

/// Where only a part of a node's ranks was probed, there are more of the innermost units.
void scale_to_nodes(ProbeHierarchy& hierarchy, const Topology& topology) {
  if (static_cast<int>(hierarchy.ranks.size()) == topology.ranks) return;
  hierarchy.notes.push_back(
      fmt::format("{} of {} ranks were probed", hierarchy.ranks.size(), topology.ranks));
  const auto& levels = hierarchy.levels;
  const auto node = std::ranges::find(levels, "node", &ProbeLevel::name);
  const bool has_nodes = node != levels.end();
  const std::size_t first = has_nodes ? static_cast<std::size_t>(node - levels.begin()) : 0;
  if (first + 1 >= levels.size()) return;
  // Groups between the node and its ranks; of a single node, the outermost are such groups.
  int groups = 1;
  if (!has_nodes) groups = *std::ranges::max_element(levels.front().unit_of) + 1;
  for (std::size_t l = first + 1; l + 1 < levels.size(); ++l) groups *= hierarchy.sizes[l];
  hierarchy.sizes.back() = (topology.largest_node + groups - 1) / groups;
}

}  // namespace

ProbeHierarchy hierarchy_from(const CostMatrix& costs, const ProbedPlaces& probed,
                              const Topology& topology) {
  ProbeHierarchy hierarchy;
  hierarchy.ranks = probed.ranks;
  if (probed.is_virtual) {
    hierarchy.levels = named_levels(probed);
    hierarchy.notes.emplace_back("the topology is imagined: 'between nodes' is inside a real one");
  } else if (probed.oversubscribed) {
    hierarchy.levels = named_levels(probed);
    hierarchy.notes.emplace_back(
        "ranks share cores or may move between them, so groups of cores can't be measured: bind "
        "one rank to each core");
  } else {
    hierarchy.levels = measured_levels(costs, probed, hierarchy.notes);
  }
  if (!probed.is_virtual && topology.nodes == 1)
    hierarchy.notes.emplace_back(
        "one node was probed: nothing is known of messages between nodes, for which round numbers "
        "stand");
  Groups cores(probed.ranks.size());
  std::iota(cores.begin(), cores.end(), 0);
  hierarchy.levels.push_back({"core", std::move(cores)});
  set_sizes(hierarchy);
  scale_to_nodes(hierarchy, topology);
  return hierarchy;
}

std::size_t parting_level(const ProbeHierarchy& hierarchy, std::size_t a, std::size_t b) {
  const auto& levels = hierarchy.levels;
  std::size_t level = 0;
  while (level < levels.size() && levels[level].unit_of[a] == levels[level].unit_of[b]) ++level;
  return level;
}

}  // namespace cartwright::mapping
