// SPDX-License-Identifier: Apache-2.0
// Chapter 5: tiles, their links, and bounds on what they gain.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/plan/models/channel_cost.hpp>
#include <vector>

#include "karlsson.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

namespace formulas = plan::formulas;

struct Links {
  int columns, rows;
  const char* printed;
};
constexpr std::array<Links, 4> of_8_cores{{{1, 8, "9"}, {2, 4, "6"}, {4, 2, "6"}, {8, 1, "9"}}};
constexpr std::array<Links, 6> of_12_cores{
    {{1, 12, "13"}, {2, 6, "8"}, {3, 4, "7"}, {4, 3, "7"}, {6, 2, "8"}, {12, 1, "12"}}};

mapping::GridShape grid_of(std::vector<int> dims) {
  const std::vector<bool> bounded(dims.size(), false);
  return {std::move(dims), bounded};
}

// Table "4 x 4 ranks, nodes of 4": ranks of each node whose successor along `axis` is on another.
std::string leaving_by_node(std::size_t axis, const std::vector<int>& tile) {
  const auto shape = grid_of({4, 4});
  const mapping::TileOrder order(shape, tile);
  const auto node_of = [&](const std::vector<int>& at) { return order.slot(at) / 4; };
  std::vector<int> leaving(4, 0);
  for (int rank = 0; rank < 16; ++rank) {
    const auto here = shape.coordinates_of(rank);
    auto next = here;
    if (!shape.move(next, axis, 1)) continue;
    if (node_of(here) != node_of(next)) ++leaving[static_cast<std::size_t>(node_of(here))];
  }
  return fmt::format("{{{}}}", fmt::join(leaving, ", "));
}

// On a grid that every tile divides.
formulas::ChannelGrid best_tile(int cores, std::size_t dimensions) {
  const std::vector<int> ranks(dimensions, cores * 2);
  return {ranks, *mapping::choose_tile(grid_of(ranks), cores)};
}

Row& add_bound(Table& table, int cores, std::size_t dimensions, const char* system,
               const char* printed) {
  const auto grid = best_tile(cores, dimensions);
  return table
      .add(fmt::format("{}: {} cores, tile {}", system, cores, fmt::join(grid.tile, " x ")),
           printed)
      .number(formulas::tile_gain_bound(grid), 4);
}

// Section 5.4.2 as printed: links and 0.63 times the rest, without tiles over with them; the mean
// extent is once 50 / 3 and once 17.
constexpr double refined_gain = (9 + 0.63 * (50.0 / 3.0 - 9)) / (6 + 0.63 * (17.0 - 6));
constexpr double refined_gain_unsubtracted = (9 + 0.63 * 17.0) / (6 + 0.63 * 17.0);

}  // namespace

Table grids_and_tiles() {
  Table table("Sections 5.1 and 5.2", "grids and tiles");
  table.add("Figure 5.3: elements sent from strips of 10 rows, 1000 x 1000 on 100", "2000")
      .number(2 * 1000, 0)
      .note("printed as 2 · 1000");
  table.add("Figure 5.3: from blocks of 100 x 100", "400")
      .number(4 * 100, 0)
      .note("printed as 4 · 100");
  const auto add_links = [&](std::span<const Links> all) {
    for (const Links& links : all)
      table
          .add(fmt::format("external links of a {} x {} tile", links.columns, links.rows),
               links.printed)
          .number(formulas::thesis_leaving_lines({{24, 24}, {links.columns, links.rows}}), 0)
          .meant("13", "k_1 + k_2, as for the 1 x 12 tile");
  };
  add_links(of_8_cores);
  add_links(of_12_cores);
  return table;
}

Table node_maps() {
  Table table("Section 5.2.1, Figure 5.6", "outgoing communications by node, 4 nodes of 4 cores");
  table.add("standard, along x", "{0, 0, 0, 0}").text(leaving_by_node(0, {4, 1}));
  table.add("standard, along y", "{4, 4, 4, 0}").text(leaving_by_node(1, {4, 1}));
  const auto tile = *mapping::choose_tile(grid_of({4, 4}), 4);
  table.add("tiled, along x", "{2, 0, 2, 0}").text(leaving_by_node(0, tile));
  table.add("tiled, along y", "{2, 2, 0, 0}").text(leaving_by_node(1, tile));
  return table;
}

Table gain_bounds() {
  Table table("Equation 5.5 and section 5.4", "bounds on the gain of tiles");
  add_bound(table, 4, 2, "Alamode", "1.2").because("5 / 4 = 1.25, cut off instead of rounded");
  add_bound(table, 8, 2, "RA", "1.5");
  add_bound(table, 12, 2, "Jaguar", "1.86");
  add_bound(table, 8, 3, "RA", "1.42");
  add_bound(table, 12, 3, "Jaguar", "1.56");
  table.add("RA, refined, as printed: (9 + .63 (50 / 3 - 9)) / (6 + .63 (17 - 6))", "1.18")
      .number(refined_gain, 3)
      .because(fmt::format(
          "the printed expression isn't 1.18; with 17 in both places and without the two "
          "subtractions it is {:.2f}. And 0.63 belongs to the links, beta_E / c = 0.63 "
          "beta_I, not to the rest",
          refined_gain_unsubtracted));
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
