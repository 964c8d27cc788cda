// SPDX-License-Identifier: Apache-2.0
// Table 6.1: what Fox's algorithm (Algorithm 6.13) spends on communication, simulated: in each step
// a broadcast along every row of ranks, from the next column, and a roll of B by one row.
#include <fmt/format.h>

#include <array>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/compose.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cmath>
#include <string>
#include <string_view>

#include "grid_broadcast.hpp"
#include "karlsson.hpp"
#include "machines.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

struct Line {
  const char *system, *machine;
  int side;                      // of the square grid of processes
  int cores;                     // of a node
  const char *standard, *tiled;  // s of communication
};

constexpr std::array<Line, 9> table_6_1{{{"Alamode", "alamode", 4, 4, "5.807", "4.911"},
                                         {"Alamode", "alamode", 6, 4, "10.20", "8.736"},
                                         {"Alamode", "alamode", 8, 4, "14.51", "13.11"},
                                         {"RA", "ra", 4, 8, "1.559", "1.073"},
                                         {"RA", "ra", 8, 8, "3.797", "2.314"},
                                         {"RA", "ra", 12, 8, "6.008", "3.588"},
                                         {"Jaguar", "jaguar", 72, 12, "117.8", "54.83"},
                                         {"Jaguar", "jaguar", 96, 12, "135.8", "74.75"},
                                         {"Jaguar", "jaguar", 144, 12, "271.7", "122.5"}}};

constexpr plan::Count block_bytes = 2048LL * 2048 * 8;

// Rank x + side y; block 0 is A's, block 1 is B's. In row y column (y + step) is the root.
plan::Schedule step_of(int side, int step, int me) {
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

// Seconds of all steps: of a few of them, evenly chosen, where there are many. Products between
// them let all ranks begin a step together.
double simulated(const Line& line, const std::vector<int>& tile) {
  const auto machine = machine_named(line.machine);
  const int tried = line.side > 12 ? 6 : line.side;
  double seconds = 0.0;
  for (int i = 0; i < tried; ++i) {
    const int step = i * line.side / tried + (line.side > 12 ? i : 0);
    const auto run = plan::simulate(
        line.side * line.side, [&](int me) { return step_of(line.side, step, me); },
        plan::Layout(plan::Cuts::uniform(2, block_bytes)), 1, machine,
        {.record = plan::Record::times, .placement = placement_of({line.side, line.side}, tile)});
    seconds += plan::seconds(run.total);
  }
  return seconds * line.side / tried;
}

// The thesis' own cost of all steps, with the link between nodes (Tables 3.1, 3.2, 3.4).
double cost_of(const Line& line) {
  const double latency = line.cores == 4 ? 8.57e-6 : line.cores == 8 ? 13.52e-6 : 1.33e-6;
  const double bandwidth = line.cores == 4 ? 118.93e6 : line.cores == 8 ? 1021.3e6 : 1627.5e6;
  return (line.side - 1) * (std::log2(line.side) + 1.0) *
         (latency + static_cast<double>(block_bytes) / bandwidth);
}

std::string reason_for(const Line& line) {
  const char* own = line.cores == 12 ? "the torus, which tiles relieve, and other jobs"
                    : line.cores == 8
                        ? "copies of the library (messages inside of a node share little more than "
                          "one link by Table 3.9, and a tile has more of them)"
                        : "copies of the library";
  return fmt::format(
      "not in the model: which broadcast the library chose, waits for slower "
      "products, {}; the cost of section 6.1 gives {:.3g} s, whatever the placement",
      own, cost_of(line));
}

constexpr auto model = "a model beside a measurement";

}  // namespace

Table fox_communication(Effort effort) {
  Table table("Table 6.1, simulated", "communication of Fox's algorithm, standard and tiled",
              "Blocks of 2048 x 2048 doubles; low-bit-first binomial broadcasts along rows, as the "
              "cost in section 6.1 assumes, then the roll; all steps begin together. On Jaguar six "
              "of the steps");
  for (const Line& line : table_6_1) {
    const int ranks = line.side * line.side;
    const auto name = fmt::format("{}, p = {}", line.system, ranks);
    if (ranks > 10000 && effort == Effort::quick) {
      table.add(name, fmt::format("{} / {} s", line.standard, line.tiled))
          .impossible("simulated with --long");
      continue;
    }
    const std::vector<int> dims{line.side, line.side};
    const double standard = simulated(line, {});
    const double tiled = simulated(line, *mapping::choose_tile({dims, {false, false}}, line.cores));
    const auto add = [&](const char* what, const char* printed, double ours) {
      table.add(fmt::format("{}: {}", name, what), printed)
          .number(ours, 3, "s")
          .within_percent(25, model)
          .because(reason_for(line));
    };
    add("standard", line.standard, standard);
    add("tiled", line.tiled, tiled);
    const double published = Printed{line.standard}.value() / Printed{line.tiled}.value();
    table.add(name + ": standard over tiled", fmt::format("{:.3f}", published))
        .number(standard / tiled, 3)
        .within_percent(10, model)
        .because(reason_for(line));
  }
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
