// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/placement/slot_survey.hpp>
#include <cartwright/rt/agreement.hpp>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace cartwright::mapping {

namespace {

/// Lengths of runs of equal entries; one run if any entry is unknown.
void append_runs(std::span<const int> l3_of_slot, std::vector<int>& sizes) {
  const bool is_unknown = std::find(l3_of_slot.begin(), l3_of_slot.end(), -1) != l3_of_slot.end();
  for (std::size_t slot = 0; slot < l3_of_slot.size(); ++slot) {
    const bool goes_on = slot > 0 && (is_unknown || l3_of_slot[slot] == l3_of_slot[slot - 1]);
    if (goes_on) {
      ++sizes.back();
    } else {
      sizes.push_back(1);
    }
  }
}

template <typename Number>
bool all_equal(const std::vector<Number>& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end();
}

/// The map of nodes that an order with slots makes.
template <typename Order>
NodeMap map_of(const GridShape& shape, const Order& order, const std::vector<int>& node_sizes) {
  std::vector<int> positions(static_cast<std::size_t>(shape.size()));
  for (std::size_t slot = 0; slot < positions.size(); ++slot) {
    positions[slot] = shape.rank_of(order.coordinates(static_cast<int>(slot)));
  }
  return fill_along(shape, positions, node_sizes);
}

/// A tile of each L3 cache inside that of a node, if all caches have equally many ranks.
std::optional<TileOrder> nested_tiles(const TileOrder& tiles, const GridShape& shape,
                                      const SlotSurvey& survey,
                                      const std::vector<double>& weights) {
  if (!all_equal(survey.l3_sizes)) return std::nullopt;
  const GridShape node{tiles.tile(), std::vector<bool>(shape.dims.size(), false)};
  auto inner = choose_tile(node, survey.l3_sizes.front(), weights);
  if (!inner) return std::nullopt;
  return TileOrder(shape, {tiles.tile(), *std::move(inner)});
}

/// The group of each rank, when groups of `sizes` follow each other in the order of slots.
NodeMap groups_of_ranks(const GridShape& shape, std::span<const int> slot_of_rank,
                        const std::vector<int>& sizes) {
  std::vector<int> group_of_slot;
  for (std::size_t group = 0; group < sizes.size(); ++group) {
    group_of_slot.insert(group_of_slot.end(), static_cast<std::size_t>(sizes[group]),
                         static_cast<int>(group));
  }
  NodeMap map{shape, {}, static_cast<int>(sizes.size())};
  for (const int slot : slot_of_rank) {
    map.nodes.push_back(group_of_slot[static_cast<std::size_t>(slot)]);
  }
  return map;
}

}  // namespace

SlotSurvey survey_slots(const rt::Communicator& comm, const Topology& topology) {
  const auto ranks = static_cast<std::size_t>(topology.ranks);
  // Size of the node that begins at a slot; L3 of a slot; slot of a rank.
  std::vector<int> facts(3 * ranks, 0);
  if (topology.here.slot_on_node == 0) {
    facts[static_cast<std::size_t>(topology.first_slot)] = topology.node_size;
  }
  facts[ranks + static_cast<std::size_t>(topology.slot())] = topology.here.l3;
  facts[2 * ranks + static_cast<std::size_t>(topology.rank)] = topology.slot();
  rt::combine(comm, facts, rt::Combine::sum);
  SlotSurvey survey;
  const std::span<const int> l3_of_slot = std::span<const int>(facts).subspan(ranks, ranks);
  for (std::size_t slot = 0; slot < ranks;) {
    const auto size = static_cast<std::size_t>(facts[slot]);
    if (size == 0) return {};  // no node begins where one must: trust nothing of this
    survey.node_sizes.push_back(static_cast<int>(size));
    append_runs(l3_of_slot.subspan(slot, size), survey.l3_sizes);
    slot += size;
  }
  if (survey.l3_sizes.size() == survey.node_sizes.size()) survey.l3_sizes.clear();
  survey.slot_of_rank.assign(facts.end() - topology.ranks, facts.end());
  return survey;
}

NodeMap nodes_in_order(const GridShape& shape, const SlotSurvey& survey) {
  return groups_of_ranks(shape, survey.slot_of_rank, survey.node_sizes);
}

NodeMap nodes_of(const Placement& placement, const GridShape& shape, const SlotSurvey& survey) {
  return std::visit(
      [&](const auto& order) -> NodeMap {
        if constexpr (std::is_same_v<std::decay_t<decltype(order)>, IdentityOrder>) {
          return nodes_in_order(shape, survey);
        } else {
          return map_of(shape, order, survey.node_sizes);
        }
      },
      placement.order());
}

Placement with_nested_tiles(const Placement& placement, const GridShape& shape,
                            const SlotSurvey& survey, const std::vector<double>& weights) {
  const auto* tiles = std::get_if<TileOrder>(&placement.order());
  if (tiles == nullptr || survey.l3_sizes.empty()) return placement;
  auto nested = nested_tiles(*tiles, shape, survey, weights);
  return nested ? Placement(*std::move(nested)) : placement;
}

Placement with_inner_levels(const Placement& placement, const GridShape& shape,
                            const SlotSurvey& survey, const std::vector<double>& weights) {
  if (survey.l3_sizes.empty() || placement.is_identity()) return placement;
  if (std::holds_alternative<TileOrder>(placement.order())) {
    Placement nested = with_nested_tiles(placement, shape, survey, weights);
    if (nested.describe() != placement.describe()) return nested;
  }
  const NodeMap map = nodes_of(placement, shape, survey);
  return Placement(
      TableOrder(shape, assign_slots(map, {survey.l3_sizes}, weights), placement.describe()));
}

std::optional<TableOrder> cache_order(const GridShape& shape, const SlotSurvey& survey,
                                      const std::vector<double>& weights) {
  auto slots = assign_slots(nodes_in_order(shape, survey), {survey.l3_sizes}, weights);
  const auto before = judge(groups_of_ranks(shape, survey.slot_of_rank, survey.l3_sizes), weights);
  const auto after = judge(level_map(shape, slots, survey.l3_sizes), weights);
  if (after.weighted >= before.weighted) return std::nullopt;
  const auto sum = [&](const Judgement& judgement) {
    return all_equal(weights) ? static_cast<double>(judgement.total()) : judgement.weighted;
  };
  auto name = fmt::format("ranks of one L3 cache side by side ({}faces between caches: {} -> {})",
                          all_equal(weights) ? "" : "weighted ", sum(before), sum(after));
  return TableOrder(shape, std::move(slots), std::move(name));
}

}  // namespace cartwright::mapping
