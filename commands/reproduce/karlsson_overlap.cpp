// SPDX-License-Identifier: Apache-2.0
// Section 5.1 wants the dimensions of a grid to communicate at the same time, and runs them one
// after the other. What that would have given, by our simulation.
#include <fmt/format.h>

#include <array>
#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/mapping/search/tile.hpp>

#include "karlsson.hpp"
#include "machines.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

struct Grid {
  const char *system, *machine;
  std::vector<int> dims;
  int cores;  // of a node
  double bytes, segment;
};

mapping::NodeMap tiled(const mapping::GridShape& shape, int cores) {
  const mapping::TileOrder order(shape, *mapping::choose_tile(shape, cores));
  mapping::NodeMap map{shape, {}, static_cast<int>(shape.size()) / cores};
  for (int rank = 0; rank < shape.size(); ++rank)
    map.nodes.push_back(order.slot(shape.coordinates_of(rank)) / cores);
  return map;
}

mapping::NodeMap in_order(const mapping::GridShape& shape, int cores) {
  const std::vector<int> sizes(static_cast<std::size_t>(shape.size() / cores), cores);
  return mapping::fill_in_order(shape, sizes);
}

// Milliseconds, as placed by default and in tiles.
std::array<double, 2> simulated(const Grid& grid, bool at_once) {
  const mapping::GridShape shape{grid.dims, std::vector<bool>(grid.dims.size(), false)};
  const mapping::AxisSchedule how{
      .tree = mapping::LineTree::chain, .overlapped = at_once, .segment = grid.segment};
  const auto machine = machine_named(grid.machine);
  const auto bytes = static_cast<plan::Count>(grid.bytes);
  const auto time = [&](const mapping::NodeMap& map) {
    return 1e3 * plan::seconds(mapping::simulate_axes(map, machine, how, bytes).total);
  };
  return {time(in_order(shape, grid.cores)), time(tiled(shape, grid.cores))};
}

}  // namespace

Table dimensions_at_once() {
  Table table("Section 5.1", "pipelines along all dimensions at the same time",
              "The text wants it, the programs of the thesis don't do it. Whether tiles pay then, "
              "depends on the machine");
  const std::array<Grid, 2> grids{{{"RA", "ra", {8, 6}, 8, 16 * megabyte, megabyte / 4},
                                   {"Jaguar", "jaguar", {12, 12}, 12, 64 * megabyte, megabyte}}};
  for (const Grid& grid : grids) {
    const auto one = simulated(grid, false);
    const auto all = simulated(grid, true);
    table.add(fmt::format("{} on {}", grid.system, fmt::join(grid.dims, " x ")), "not measured")
        .impossible(fmt::format(
            "standard / tiled, simulated: {:.1f} / {:.1f} ms = {:.2f} at the same time, {:.1f} / "
            "{:.1f} ms = {:.2f} one after the other",
            all[0], all[1], all[0] / all[1], one[0], one[1], one[0] / one[1]));
  }
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
