// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/search/levels.hpp>
#include <cartwright/mapping/search/locality_order.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <string>
#include <variant>
#include <vector>

namespace cartwright::mapping {

/// Ranks keep their numbers: position (x, y, …) belongs to rank x + p y + …
struct IdentityOrder {
  GridShape shape;
};

/// Who sits where on the grid. Everything is computed when asked, in O(dimensions), without tables;
/// only what a search found has one.
class Placement {
 public:
  using Order = std::variant<IdentityOrder, TileOrder, LocalityOrder, TableOrder>;
  explicit Placement(Order order) : order_(std::move(order)) {}

  /// Where the rank that knows `topology` sits.
  [[nodiscard]] std::vector<int> coordinates(const Topology& topology) const;
  /// True if the rank at `coordinates` shares the node of the rank that knows `topology`.
  [[nodiscard]] bool is_on_my_node(const Topology& topology,
                                   const std::vector<int>& coordinates) const;
  [[nodiscard]] bool is_identity() const noexcept {
    return std::holds_alternative<IdentityOrder>(order_);
  }
  [[nodiscard]] const Order& order() const noexcept { return order_; }
  /// "ranks in their order", "tiles of 4 x 2", "strips along y, 2 wide".
  [[nodiscard]] std::string describe() const;

 private:
  Order order_;
};

}  // namespace cartwright::mapping
