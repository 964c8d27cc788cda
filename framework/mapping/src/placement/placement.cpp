// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/placement/placement.hpp>
#include <type_traits>

namespace cartwright::mapping {

namespace {

template <typename Order>
constexpr bool keeps_ranks = std::is_same_v<std::decay_t<Order>, IdentityOrder>;

}  // namespace

std::vector<int> Placement::coordinates(const Topology& topology) const {
  return std::visit(
      [&](const auto& order) {
        if constexpr (keeps_ranks<decltype(order)>) {
          return order.shape.coordinates_of(topology.rank);
        } else {
          return order.coordinates(topology.slot());
        }
      },
      order_);
}

bool Placement::is_on_my_node(const Topology& topology, const std::vector<int>& coordinates) const {
  return std::visit(
      [&](const auto& order) {
        if constexpr (keeps_ranks<decltype(order)>) {
          return topology.is_on_my_node(order.shape.rank_of(coordinates));
        } else {
          const int slot = order.slot(coordinates);
          return slot >= topology.first_slot && slot - topology.first_slot < topology.node_size;
        }
      },
      order_);
}

std::string Placement::describe() const {
  return std::visit(
      [](const auto& order) {
        if constexpr (keeps_ranks<decltype(order)>) {
          return std::string("ranks in their order");
        } else {
          return std::string(order.describe());
        }
      },
      order_);
}

}  // namespace cartwright::mapping
