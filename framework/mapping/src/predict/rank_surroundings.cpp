// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/predict/rank_surroundings.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <functional>
#include <numeric>
#include <set>

namespace cartwright::mapping {

namespace {

/// So many nodes are looked at: the first, the last, and others between them.
constexpr long long most_nodes = 64;

std::vector<long long> nodes_to_look_at(long long nodes) {
  std::set<long long> chosen;
  const long long looked_at = std::min(nodes, most_nodes);
  for (long long i = 0; i < looked_at; ++i)
    chosen.insert(looked_at == 1 ? 0 : i * (nodes - 1) / (looked_at - 1));
  return {chosen.begin(), chosen.end()};
}

/// Where slots sit, and which slot sits where.
struct Order {
  std::function<std::vector<int>(int slot)> place;
  std::function<int(const std::vector<int>&)> slot;
  std::string name;
};

Order in_order(const GridShape& shape) {
  return {[&shape](int slot) { return shape.coordinates_of(slot); },
          [&shape](const std::vector<int>& at) { return shape.rank_of(at); },
          "ranks in their order"};
}

Surroundings count(const GridShape& shape, int node_size, const Order& order) {
  const std::size_t axes = shape.dims.size();
  Surroundings most{std::vector<int>(axes, 0), std::vector<int>(axes, 0),
                    std::vector<long long>(axes, 0), std::vector<long long>(axes, 0), order.name};
  const long long ranks = shape.size(), nodes = (ranks + node_size - 1) / node_size;
  int busiest_rank = -1;
  long long busiest_node = -1;
  for (const long long node : nodes_to_look_at(nodes)) {
    Surroundings here{{}, {}, std::vector<long long>(axes, 0), std::vector<long long>(axes, 0), {}};
    const long long last = std::min(ranks, (node + 1) * node_size);
    for (long long slot = node * node_size; slot < last; ++slot) {
      const std::vector<int> at = order.place(static_cast<int>(slot));
      std::vector<int> off(axes, 0), on(axes, 0);
      for (std::size_t axis = 0; axis < axes; ++axis) {
        for (const int direction : {1, -1}) {
          std::vector<int> there = at;
          if (!shape.move(there, axis, direction) || there == at) continue;
          ++(order.slot(there) / node_size == node ? on : off)[axis];
        }
        here.node_out[axis] += off[axis];
        here.node_inside[axis] += on[axis];
      }
      const int mine = std::accumulate(off.begin(), off.end(), 0) * 64 +
                       std::accumulate(on.begin(), on.end(), 0);
      if (mine > busiest_rank) most.off_node = off, most.on_node = on;
      busiest_rank = std::max(busiest_rank, mine);
    }
    const long long out = std::accumulate(here.node_out.begin(), here.node_out.end(), 0LL);
    const long long inside = std::accumulate(here.node_inside.begin(), here.node_inside.end(), 0LL);
    if (out * 64 + inside > busiest_node)
      most.node_out = here.node_out, most.node_inside = here.node_inside;
    busiest_node = std::max(busiest_node, out * 64 + inside);
  }
  return most;
}

double cost(const Surroundings& of, const std::vector<double>& weights) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < of.node_out.size(); ++axis)
    sum += static_cast<double>(of.node_out[axis]) * (weights.empty() ? 1.0 : weights[axis]);
  return sum;
}

}  // namespace

Surroundings surroundings(const GridShape& shape, int node_size, bool remapped,
                          const std::vector<double>& weights) {
  Surroundings usual = count(shape, node_size, in_order(shape));
  if (!remapped || shape.size() <= node_size) return usual;
  const auto tile = choose_tile(shape, node_size, weights);
  if (!tile) return usual;
  const TileOrder order(shape, *tile);
  const Surroundings tiled =
      count(shape, node_size,
            {[&order](int slot) { return order.coordinates(slot); },
             [&order](const std::vector<int>& at) { return order.slot(at); }, order.describe()});
  return cost(tiled, weights) < cost(usual, weights) ? tiled : usual;
}

}  // namespace cartwright::mapping
