// SPDX-License-Identifier: Apache-2.0
// Tables 5.1 to 5.4: broadcasts along the dimensions of a grid, simulated.
#include <fmt/format.h>

#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/models/channel_cost.hpp>
#include <string_view>
#include <utility>

#include "grid_broadcast.hpp"
#include "karlsson.hpp"
#include "karlsson_grid_times.hpp"
#include "machines.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

namespace formulas = plan::formulas;

struct System {
  const char* machine;
  int cores;                        // of a node
  double bytes;                     // of a message, in two dimensions
  double segment;                   // bytes; the thesis doesn't print it
  formulas::ChannelCosts channels;  // Tables 3.4 and 3.11
};

System system_of(std::string_view name) {
  if (name == "Alamode")
    return {"alamode",
            4,
            8 * megabyte,
            megabyte / 4,
            {8.57e-6, 1e-6 / 118.93, 1e-6 / 1046.3, 171.0 / 118.93, 1491.8 / 1046.3, 0.0}};
  if (name == "RA")
    return {"ra",
            8,
            16 * megabyte,
            megabyte / 4,
            {13.52e-6, 1e-6 / 1021.3, 1e-6 / 1271.0, 2712.6 / 1021.3, 1539.7 / 1271.0, 0.0}};
  return {"jaguar",
          12,
          64 * megabyte,
          megabyte,
          {1.33e-6, 1e-6 / 1627.5, 1e-6 / 2218.8, 2629.5 / 1627.5, (1385 + 724 * 6) / 2218.8, 0.0}};
}

// The nearest square that holds the ranks and that tiles divide; the thesis doesn't print grids.
// (x, y).
std::vector<int> grid_of(int ranks) {
  switch (ranks) {
    case 16:
      return {4, 4};
    case 36:
      return {6, 6};
    case 48:
      return {8, 6};
    case 64:
      return {8, 8};
    case 96:
      return {12, 8};
    case 20000:
      return {144, 144};
    case 30000:
      return {180, 168};
    default:
      return {204, 192};
  }
}

std::vector<int> cube_of(int ranks) {
  switch (ranks) {
    case 48:
      return {4, 6, 2};
    case 64:
      return {4, 4, 4};
    case 96:
      return {4, 4, 6};
    case 1728:
      return {12, 12, 12};
    case 5832:
      return {18, 18, 18};
    case 13824:
      return {24, 24, 24};
    case 27000:
      return {30, 30, 30};
    default:
      return {36, 36, 36};
  }
}

std::vector<int> tile_of(const std::vector<int>& dims, int cores) {
  return *mapping::choose_tile({dims, std::vector<bool>(dims.size(), false)}, cores);
}

LineBroadcast chain(double bytes, double segment) {
  const int segments = static_cast<int>(bytes / segment);
  return [=](plan::Team team) { return plan::broadcast::chain(team, {.rank = 0}, segments); };
}

LineBroadcast binomial() {
  return [](plan::Team team) {
    return plan::broadcast::binomial_low_bit_first(team, {.rank = 0}, plan::RootPlacement::rotate);
  };
}

// Milliseconds, as placed by default and in tiles.
std::pair<double, double> simulated(const System& system, const std::vector<int>& dims,
                                    bool pipeline, double bytes) {
  const GridBroadcast broadcast{
      .dims = dims,
      .line = pipeline ? chain(bytes, system.segment) : binomial(),
      .block_bytes = static_cast<plan::Count>(pipeline ? system.segment : bytes)};
  const auto machine = machine_named(system.machine);
  return {simulated_seconds(broadcast, {}, machine) * 1e3,
          simulated_seconds(broadcast, tile_of(dims, system.cores), machine) * 1e3};
}

double balanced_ratio(const System& system, const std::vector<int>& dims) {
  std::vector<int> row(dims.size(), 1);
  row.front() = system.cores;  // the axis that is fastest in rank order fills nodes
  const auto time = [&](const std::vector<int>& tile) {
    return formulas::balanced_pipeline_time({dims, tile}, system.channels, system.bytes,
                                            system.segment);
  };
  return time(row) / time(tile_of(dims, system.cores));
}

constexpr auto model = "a model beside a measurement";

Row& add_ratio(Table& table, const std::string& what, const char* standard, const char* tiled,
               double ours) {
  const double published = Printed{standard}.value() / Printed{tiled}.value();
  return table
      .add(fmt::format("{}: {} / {} ms", what, standard, tiled), fmt::format("{:.3f}", published))
      .number(ours, 3)
      .within_percent(10, model);
}

std::string reason(const System& system, const std::pair<double, double>& times) {
  const char* why = system.cores == 4
                        ? "four messages at a time leave a node with 201 MB/s together, two with "
                          "165 only (Table 3.8)"
                    : system.cores == 8 ? "messages inside of a node share 1.3 to 1.7 GB/s (Table "
                                          "3.9), little more than one link "
                                          "of the network has, and a tile has more of them"
                                        : "the torus and other jobs aren't in the model";
  return fmt::format("{:.1f} and {:.1f} ms simulated; grid and segment aren't printed; {}",
                     times.first, times.second, why);
}

constexpr auto later = "simulated with --long";

void add_two_dimensional(Table& table, const TwoDimensional& line, Effort effort) {
  const System system = system_of(line.system);
  const bool pipeline = std::string_view(line.operation) == "pipeline";
  for (std::size_t i = 0; i < 3; ++i) {
    const int ranks = ranks_of_system(line)[i];
    const auto dims = grid_of(ranks);
    const auto name = fmt::format("{}, p = {}, {} on {}", line.system, ranks, line.operation,
                                  fmt::join(dims, " x "));
    if (ranks > 10000 && effort == Effort::quick) {
      table.add(name, fmt::format("{} / {} ms", line.standard[i], line.tiled[i])).impossible(later);
      continue;
    }
    const auto times = simulated(system, dims, pipeline, system.bytes);
    add_ratio(table, name, line.standard[i], line.tiled[i], times.first / times.second)
        .because(reason(system, times));
  }
}

}  // namespace

Table broadcasts_two_dimensions(Effort effort) {
  Table table(
      "Tables 5.2 to 5.4, simulated",
      "standard time over tiled time of broadcasts along rows, then columns",
      "Low-bit-first binomial trees, and chains of segments of 256 kB (Jaguar 1 MB), on "
      "inputs/machines; channels of Tables 3.8 to 3.10. p of Jaguar is nominal: 20000, 30000 and "
      "40000 aren't multiples of 12, and p = 94 of RA is 96. Grids and segments aren't printed");
  for (const TwoDimensional& line : tables_5_2_to_5_4()) {
    const std::string_view operation = line.operation;
    if (operation != "pipeline" && operation != "binomial") continue;
    add_two_dimensional(table, line, effort);
    if (operation != "pipeline") continue;
    const System system = system_of(line.system);
    for (std::size_t i = 0; i < 3; ++i) {
      const int ranks = ranks_of_system(line)[i];
      add_ratio(table, fmt::format("{}, p = {}, pipeline by channel balance", line.system, ranks),
                line.standard[i], line.tiled[i], balanced_ratio(system, grid_of(ranks)))
          .because(
              "a closed form from Tables 3.4 and 3.11: the busiest channel of each dimension "
              "decides; no "
              "torus, no other jobs");
    }
  }
  return table;
}

Table broadcasts_three_dimensions(Effort effort) {
  Table table("Table 5.1, simulated", "standard time over tiled time of 16 MB along x, y, z",
              "Chains of segments of 256 kB (Jaguar 1 MB)");
  for (const ThreeDimensional& line : table_5_1()) {
    const System system = system_of(line.system);
    const auto dims = cube_of(line.ranks);
    const auto name =
        fmt::format("{}, p = {} on {}", line.system, line.ranks, fmt::join(dims, " x "));
    if (line.ranks > 10000 && effort == Effort::quick) {
      table.add(name, fmt::format("{} / {} ms", line.standard, line.tiled)).impossible(later);
      continue;
    }
    const auto times = simulated(system, dims, true, 16 * megabyte);
    add_ratio(table, name, line.standard, line.tiled, times.first / times.second)
        .because(reason(system, times));
  }
  return table;
}

Table other_collectives() {
  Table table("Tables 5.2 to 5.4", "collectives of the MPI libraries");
  table.add("MPI_Bcast: 9 pairs of times", "505.9 / 443.3 ms …")
      .impossible("which algorithm the library chose for which size isn't said");
  table.add("MPI_Gather, MPI_Scatter: 18 pairs of times", "298.0 / 164.0 ms …")
      .impossible("neither is it said whether m is the root's data or that of each process");
  table.add("Figures 5.12 to 5.21", "curves").impossible("pictures of the same numbers");
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
