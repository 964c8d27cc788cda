// SPDX-License-Identifier: Apache-2.0
#include "viertel.hpp"

#include <fmt/format.h>

#include "machines.hpp"

namespace cartwright::reproduce {

namespace viertel_tables {

plan::Simulation simulated(const Maker& make, int ranks, plan::Count bytes,
                           const plan::Machine& machine) {
  return plan::simulate(
      ranks, [&](int me) { return make({.ranks = ranks, .me = me}); },
      plan::Layout(plan::Cuts::uniform(ranks, bytes)), 1, machine);
}

double simulated_us(const Maker& make, int ranks, plan::Count bytes, const plan::Machine& machine) {
  return plan::seconds(simulated(make, ranks, bytes, machine).total) * 1e6;
}

int rounds(const Maker& make, int ranks) {
  return make({.ranks = ranks, .me = 0}).rounds();
}

plan::formulas::LogFp plot_parameters(int free_burst) {
  return {.latency = 5.0,
          .send_overhead_min = 0.5,
          .send_overhead_max = 2.0,
          .receive_overhead_min = 0.5,
          .receive_overhead_max = 1.5,
          .gap = 3.0,
          .free_burst = free_burst};
}

plan::Machine plot_machine(int free_burst) {
  return machine_named(fmt::format("logfp-plot-{}", free_burst));
}

plan::formulas::LogGp measured_parameters() {
  return {.latency = 4.5,
          .send_overhead = 2.4,
          .receive_overhead = 1.1,
          .gap = 3.0,
          .byte_time = 0.0012};
}

Row& add_formula(Table& table, std::string what, double formula, double simulated) {
  return table.add(std::move(what), fmt::format("{:.2f}", formula)).number(simulated, 2, "us");
}

double first_bytes(int ranks) {
  return (ranks - 1) * measured_parameters().byte_time;
}

Row& add_most(Table& table, std::string what, double formula, double simulated, double extra) {
  return table.add(std::move(what), fmt::format("{:.2f} us", formula))
      .judged(fmt::format("{:.2f} us", simulated), simulated <= formula + extra + 0.005,
              fmt::format("{:+.2f} %", 100.0 * (simulated - formula) / formula),
              extra > 0.0 ? fmt::format("at most, ± {:.3f} us: {}", extra, first_bytes_text)
                          : "at most");
}

}  // namespace viertel_tables

Document viertel(Effort /*effort*/) {
  namespace tables = viertel_tables;
  return {
      "viertel",
      "C. Viertel, Improving the Performance of Selected MPI Collective Communication Operations "
      "on InfiniBand Networks, diploma thesis, Chemnitz University of Technology, 2007",
      {tables::log_p_example(), tables::measured_network(), tables::scatter_small(),
       tables::scatter_large(), tables::scatter_leaves(), tables::scatter_optimal(),
       tables::scatter_gain(), tables::scatter_structure(), tables::allgather_small(),
       tables::allgather_large(), tables::allgather_structure(), tables::gather_measured(),
       tables::allgather_measured()}};
}

}  // namespace cartwright::reproduce
