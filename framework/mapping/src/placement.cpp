// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/mapping/placement.hpp>

namespace cartwright::mapping {

std::vector<int> Placement::coordinates(const Topology& topology) const {
  if (const auto* identity = std::get_if<IdentityOrder>(&order_)) {
    return identity->shape.coordinates_of(topology.rank);
  }
  if (const auto* tiles = std::get_if<TileOrder>(&order_)) {
    return tiles->coordinates(topology.slot());
  }
  return std::get<LocalityOrder>(order_).coordinates(topology.slot());
}

bool Placement::is_on_my_node(const Topology& topology, const std::vector<int>& coordinates) const {
  if (const auto* identity = std::get_if<IdentityOrder>(&order_)) {
    return topology.is_on_my_node(identity->shape.rank_of(coordinates));
  }
  const auto* tiles = std::get_if<TileOrder>(&order_);
  const int slot = tiles != nullptr ? tiles->slot(coordinates)
                                    : std::get<LocalityOrder>(order_).slot(coordinates);
  return slot >= topology.first_slot && slot - topology.first_slot < topology.node_size;
}

std::string Placement::describe() const {
  if (const auto* tiles = std::get_if<TileOrder>(&order_)) {
    return fmt::format("tiles of {}", to_text(tiles->tile()));
  }
  if (const auto* strips = std::get_if<LocalityOrder>(&order_)) return strips->describe();
  return "ranks in their order";
}

}  // namespace cartwright::mapping
