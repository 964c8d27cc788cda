// SPDX-License-Identifier: Apache-2.0
#include "grid_broadcast.hpp"

#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/plan/compose.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <functional>
#include <numeric>

namespace cartwright::reproduce {

namespace {

int ranks_of(const GridBroadcast& broadcast) {
  return std::accumulate(broadcast.dims.begin(), broadcast.dims.end(), 1, std::multiplies<>());
}

int blocks_of_line(const GridBroadcast& broadcast) {
  return broadcast.line({.ranks = broadcast.dims.front(), .me = 0}).blocks();
}

plan::Schedule schedule_of(const GridBroadcast& broadcast, int line_blocks, int me) {
  const int dimensions = static_cast<int>(broadcast.dims.size());
  const int blocks = dimensions * line_blocks;
  plan::Sequence whole({.ranks = ranks_of(broadcast), .me = me},
                       {.blocks = blocks, .output = {0, blocks}});
  int stride = 1;
  for (int axis = 0; axis < dimensions; ++axis) {
    const int extent = broadcast.dims[static_cast<std::size_t>(axis)];
    const int at = me / stride % extent;
    const auto part = broadcast.line({.ranks = extent, .me = at});
    whole.add(part, {.rank = plan::ranks_from(me - at * stride, stride),
                     .begin = plan::blocks_from(axis * line_blocks)});
    whole.next(part.rounds());
    stride *= extent;
  }
  return std::move(whole).finish();
}

}  // namespace

plan::Placement placement_of(const std::vector<int>& dims, const std::vector<int>& tile) {
  if (tile.empty()) return {};
  const mapping::GridShape shape{dims, std::vector<bool>(dims.size(), false)};
  const mapping::TileOrder order(shape, tile);
  std::vector<int> cores;
  for (int rank = 0; rank < static_cast<int>(shape.size()); ++rank)
    cores.push_back(order.slot(shape.coordinates_of(rank)));
  return plan::Placement(std::move(cores));
}

double simulated_seconds(const GridBroadcast& broadcast, const std::vector<int>& tile,
                         const plan::Machine& machine) {
  const int line_blocks = blocks_of_line(broadcast);
  const int blocks = static_cast<int>(broadcast.dims.size()) * line_blocks;
  const auto run = plan::simulate(
      ranks_of(broadcast), [&](int me) { return schedule_of(broadcast, line_blocks, me); },
      plan::Layout(plan::Cuts::uniform(blocks, broadcast.block_bytes)), 1, machine,
      {.record = plan::Record::times, .placement = placement_of(broadcast.dims, tile)});
  return plan::seconds(run.total);
}

}  // namespace cartwright::reproduce
