// SPDX-License-Identifier: Apache-2.0
// Equations whose terms have no numbers in the text, beside simulated schedules.
#include <fmt/format.h>

#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/algorithms/tree.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <functional>

#include "karlsson.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

constexpr int ranks = 64;
constexpr plan::Root root{.rank = 0};
constexpr double latency = 13.52e-6;                      // of RA, Table 3.4
constexpr double byte_time = 1e-6 / 1021.3;               // of RA
constexpr plan::Count segment = plan::Count{256} * 1024;  // bytes
constexpr int segments = 64;

double simulated_ms(const std::function<plan::Schedule(plan::Team)>& make, int blocks,
                    plan::Count block_bytes) {
  const auto run = plan::simulate(
      ranks, [&](int me) { return make({.ranks = ranks, .me = me}); },
      plan::Layout(plan::Cuts::uniform(blocks, block_bytes)), 1,
      plan::flat_machine(plan::hockney(latency, byte_time)));
  return plan::seconds(run.total) * 1e3;
}

void add_equation(Table& table, const char* what, double equation, double simulated) {
  table.add(what, fmt::format("{:.3f}", equation * 1e3)).number(simulated, 3, "ms");
}

}  // namespace

Table equations() {
  Table table(
      "Equations 5.2, 5.3.4 and 6.2.1", "times in Hockney's model",
      "The equations have no numbers; here 64 ranks, RA's network, 16 MB in segments of 256 kB; "
      "256 kB of each rank in the allgather");
  const double step = latency + byte_time * segment;
  add_equation(
      table, "5.2, pipeline: (p - 2 + m / s)(alpha + beta s)", (ranks - 2 + segments) * step,
      simulated_ms([](plan::Team team) { return plan::broadcast::chain(team, root, segments); },
                   segments, segment));
  const double whole = latency + byte_time * segment * segments;
  add_equation(table, "5.3.4, binomial tree: (alpha + beta m) log2 p", 6 * whole,
               simulated_ms(
                   [](plan::Team team) {
                     return plan::broadcast::binomial_low_bit_first(team, root,
                                                                    plan::RootPlacement::rotate);
                   },
                   1, segment * segments));
  add_equation(table, "6.2.1, allgather: alpha log2 p + (p - 1) m beta",
               6 * latency + (ranks - 1) * byte_time * segment,
               simulated_ms(plan::allgather::recursive_doubling, ranks, segment));
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
