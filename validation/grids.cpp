// SPDX-License-Identifier: Apache-2.0
// Karlsson 2012: orders of the cores of a node, and collectives along the axes of process grids.
#include <fmt/format.h>

#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/compose.hpp>
#include <cmath>
#include <numeric>

#include "computations.hpp"
#include "core_ordering.hpp"
#include "formulas/channel_cost.hpp"

namespace cartwright::validation {

namespace {

mapping::GridShape bounded(std::vector<int> dims) {
  const std::vector<bool> periodic(dims.size(), false);
  return {std::move(dims), periodic};
}

std::vector<int> tile_of(const std::vector<int>& dims, int cores) {
  return *mapping::choose_tile(bounded(dims), cores);
}

Value list_of(const std::vector<int>& numbers) {
  std::vector<Value> values;
  for (const int number : numbers) values.push_back({static_cast<double>(number)});
  return {std::move(values)};
}

/// Ranks fill nodes in order, or get `tile` of the grid each.
plan::Placement placement_of(const std::vector<int>& dims, const std::vector<int>& tile) {
  if (tile.empty()) return {};
  const auto shape = bounded(dims);
  const mapping::TileOrder order(shape, tile);
  std::vector<int> cores;
  for (int rank = 0; rank < static_cast<int>(shape.size()); ++rank)
    cores.push_back(order.slot(shape.coordinates_of(rank)));
  return plan::Placement(std::move(cores));
}

/// Seconds in which every rank of a process grid takes part in a broadcast along x, then in one
/// along y, and so on, each of data of its own: schedule, bytes of its blocks, grid, tile (or []),
/// machine. Rank (x, y, …) is x + p (y + q …).
double grid_broadcast(const Arguments& a) {
  const auto line = schedule_named(a.text(0));
  const auto dims = a[2].integers();
  const int ranks = std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>());
  const int line_blocks = line({.ranks = dims.front(), .me = 0}).blocks();
  const int blocks = static_cast<int>(dims.size()) * line_blocks;
  const auto schedule_of = [&](int me) {
    plan::Sequence whole({.ranks = ranks, .me = me}, {.blocks = blocks, .output = {0, blocks}});
    int stride = 1;
    int first_block = 0;
    for (const int extent : dims) {
      const int at = me / stride % extent;
      const auto part = line({.ranks = extent, .me = at});
      whole.add(part, {.rank = plan::ranks_from(me - at * stride, stride),
                       .begin = plan::blocks_from(first_block)});
      whole.next(part.rounds());
      first_block += line_blocks;
      stride *= extent;
    }
    return std::move(whole).finish();
  };
  const auto run = plan::simulate(
      ranks, schedule_of, plan::Layout(plan::Cuts::uniform(blocks, a.count(1))), 1,
      machine_named(a.text(4)),
      {.record = plan::Record::times, .placement = placement_of(dims, a[3].integers())});
  return plan::seconds(run.total);
}

/// Milliseconds of chains along all axes: grid, cores of a node, whether in tiles, whether at the
/// same time, bytes, segment, machine.
double axes_time(const Arguments& a) {
  const auto shape = bounded(a[0].integers());
  const int cores = a.integer(1);
  const auto nodes = static_cast<int>(shape.size()) / cores;
  const std::vector<int> sizes(static_cast<std::size_t>(nodes), cores);
  mapping::NodeMap map = mapping::fill_in_order(shape, sizes);
  if (a.number(2) != 0.0) {
    const mapping::TileOrder order(shape, tile_of(shape.dims, cores));
    for (int rank = 0; rank < shape.size(); ++rank)
      map.nodes[static_cast<std::size_t>(rank)] = order.slot(shape.coordinates_of(rank)) / cores;
  }
  const mapping::AxisSchedule how{
      .tree = mapping::LineTree::chain, .overlapped = a.number(3) != 0.0, .segment = a.number(5)};
  const auto run = mapping::simulate_axes(map, machine_named(a.text(6)), how, a.count(4));
  return 1e3 * plan::seconds(run.total);
}

/// A step of Fox's algorithm (Algorithm 6.13) on `side` x `side` ranks: a broadcast along every row
/// of ranks, in row y from column y + step, and a roll of B by one row. Block 0 is A's, 1 is B's.
plan::Schedule fox_step(int side, int step, int me) {
  const int x = me % side;
  const int y = me / side;
  const int root = (y + step) % side;
  plan::Sequence whole({.ranks = side * side, .me = me}, {.blocks = 2, .output = {0, 2}});
  const auto row = plan::broadcast::binomial_low_bit_first(
      {.ranks = side, .me = (x - root + side) % side}, {.rank = 0}, plan::RootPlacement::rotate);
  whole.add(row, {.rank = [=](int i) { return y * side + (root + i) % side; },
                  .begin = plan::blocks_from(0)});
  whole.next(row.rounds());
  plan::Builder& roll = whole.builder();
  roll.send(x + (y + side - 1) % side * side, roll.output(1));
  roll.receive(x + (y + 1) % side * side, {roll.scratch(1), 1, 1});
  whole.next(1);
  return std::move(whole).finish();
}

/// Seconds of all its steps (of a few of them, evenly chosen, where there are many): side, bytes of
/// a block, tile (or []), machine. Products between them let all ranks begin a step together.
double fox_time(const Arguments& a) {
  const int side = a.integer(0);
  const auto machine = machine_named(a.text(3));
  const int tried = side > 12 ? 6 : side;
  double seconds = 0.0;
  for (int i = 0; i < tried; ++i) {
    const int step = i * side / tried + (side > 12 ? i : 0);
    const auto run = plan::simulate(
        side * side, [&](int me) { return fox_step(side, step, me); },
        plan::Layout(plan::Cuts::uniform(2, a.count(1))), 1, machine,
        {.record = plan::Record::times, .placement = placement_of({side, side}, a[2].integers())});
    seconds += plan::seconds(run.total);
  }
  return seconds * side / tried;
}

/// Seconds of a pipeline whose busiest channel decides: grid, tile, alpha, beta_E, beta_I, channels
/// between and inside of nodes, bytes, segment.
double balanced_pipeline(const Arguments& a) {
  return formulas::balanced_pipeline_time(
      {a[0].integers(), a[1].integers()},
      {a.number(2), a.number(3), a.number(4), a.number(5), a.number(6), 0.0}, a.number(7),
      a.number(8));
}

/// "{2, 0, 2, 0}": ranks of each of the nodes, of `cores` ranks, whose successor along an axis is
/// on another one: grid, axis, tile.
std::string leaving_by_node(const Arguments& a) {
  const auto shape = bounded(a[0].integers());
  const auto tile = a[2].integers();
  const mapping::TileOrder order(shape, tile);
  const int cores = std::accumulate(tile.begin(), tile.end(), 1, std::multiplies<>());
  const auto node_of = [&](const std::vector<int>& at) { return order.slot(at) / cores; };
  std::vector<int> leaving(static_cast<std::size_t>(shape.size() / cores), 0);
  for (int rank = 0; rank < shape.size(); ++rank) {
    const auto here = shape.coordinates_of(rank);
    auto next = here;
    if (!shape.move(next, static_cast<std::size_t>(a.integer(1)), 1)) continue;
    if (node_of(here) != node_of(next)) ++leaving[static_cast<std::size_t>(node_of(here))];
  }
  return fmt::format("{{{}}}", fmt::join(leaving, ", "));
}

mapping::CostMatrix costs_of(const Value& rows) {
  std::vector<double> costs;
  for (const Value& row : rows.list())
    for (const double cost : row.numbers()) costs.push_back(cost);
  return mapping::CostMatrix(std::move(costs));
}

/// The same with two costs: one for all pairs inside of the groups that it shows, one for the rest.
mapping::CostMatrix two_levels(const mapping::CostMatrix& measured) {
  const auto groups = mapping::find_groups(measured);
  std::vector<double> costs;
  for (const int from : groups.group_of)
    for (const int to : groups.group_of) costs.push_back(from == to ? 0.0 : 1.0);
  return mapping::CostMatrix(std::move(costs));
}

std::string text_of(const std::vector<int>& order) {
  return fmt::format("{}", fmt::join(order, " "));
}

/// "0 2 | 1 3"
std::string core_groups(const Arguments& a) {
  std::string text;
  for (const auto& group : mapping::find_groups(costs_of(a[0])).members())
    text += (text.empty() ? "" : " | ") + text_of(group);
  return text;
}

/// Costs, channels (0: Fastest Edge First), whether only two costs count.
std::string core_order(const Arguments& a) {
  const auto measured = costs_of(a[0]);
  const auto costs = a.number(2) != 0.0 ? two_levels(measured) : measured;
  if (a.number(1) == 0.0) return text_of(fastest_edge_first(costs));
  return text_of(channel_aware_order(costs, mapping::find_groups(measured), a.number(1)));
}

}  // namespace

void add_grids(Computations& all) {
  all.add("tile",
          [](const Arguments& a) { return list_of(tile_of(a[0].integers(), a.integer(1))); });
  all.add("by", [](const Arguments& a) {
    return Value{fmt::format("{}", fmt::join(a[0].integers(), " x "))};
  });
  all.add("grid_broadcast", [](const Arguments& a) { return Value{grid_broadcast(a)}; });
  all.add("axes_time", [](const Arguments& a) { return Value{axes_time(a)}; });
  all.add("fox_time", [](const Arguments& a) { return Value{fox_time(a)}; });
  all.add("balanced_pipeline", [](const Arguments& a) { return Value{balanced_pipeline(a)}; });
  all.add("leaving_by_node", [](const Arguments& a) { return Value{leaving_by_node(a)}; });
  all.add("leaving_lines", [](const Arguments& a) {
    return Value{
        static_cast<double>(formulas::thesis_leaving_lines({a[0].integers(), a[1].integers()}))};
  });
  all.add("tile_gain_bound", [](const Arguments& a) {
    return Value{formulas::tile_gain_bound({a[0].integers(), a[1].integers()})};
  });
  all.add("core_groups", [](const Arguments& a) { return Value{core_groups(a)}; });
  all.add("core_order", [](const Arguments& a) { return Value{core_order(a)}; });
}

}  // namespace cartwright::validation
