// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <limits>

#include "computations.hpp"
#include "formulas/channel_cost.hpp"
#include "formulas/logfp_formulas.hpp"
#include "formulas/loggp_formulas.hpp"
#include "formulas/prior_models.hpp"
#include "formulas/recursive_multiplying_cost.hpp"

namespace cartwright::validation {

namespace {

/// Viertel 2007, section 5.1.4, in microseconds; its machine is inputs/machines/logfp-plot-2 or -4.
formulas::LogFp plot_parameters(int free_burst) {
  return {.latency = 5.0,
          .send_overhead_min = 0.5,
          .send_overhead_max = 2.0,
          .receive_overhead_min = 0.5,
          .receive_overhead_max = 1.5,
          .gap = 3.0,
          .free_burst = free_burst};
}

/// Section 4.3.3, in microseconds; g and G are in Figure 4.4 only, and here 3 us and 0.0012 us.
formulas::LogGp measured_parameters() {
  return {.latency = 4.5,
          .send_overhead = 2.4,
          .receive_overhead = 1.1,
          .gap = 3.0,
          .byte_time = 0.0012};
}

[[noreturn]] void refuse(const std::string& name) {
  throw rt::input_error(fmt::format("there is no formula '{}'", name),
                        "validation/formulas.cpp has those that there are.");
}

/// In LogfP: algorithm, f, P, k.
double logfp(const Arguments& a) {
  const auto name = a.text(0);
  const auto model = plot_parameters(a.integer(1));
  const auto ranks = a.count(2);
  if (name == "linear scatter") return formulas::linear_scatter_time(model, ranks);
  if (name == "splitting scatter") return formulas::splitting_scatter_time(model, ranks);
  if (name == "n-way scatter") return formulas::n_way_scatter_time(model, ranks, a.integer(3));
  if (name == "modified ring") return formulas::modified_ring_allgather_time(model, ranks);
  if (name == "ring") return formulas::ring_allgather_time(model, ranks);
  if (name == "neighbour exchange")
    return formulas::neighbour_exchange_allgather_time(model, ranks);
  if (name == "recursive doubling")
    return formulas::recursive_doubling_allgather_time(model, ranks);
  if (name == "Bruck") return formulas::bruck_allgather_time(model, ranks, a.integer(3));
  refuse(name);
}

/// In LogGP, as the thesis prints them: algorithm, P, s, k.
double loggp(const Arguments& a) {
  const auto name = a.text(0);
  const formulas::LogGpScatter scatter{measured_parameters(), a.integer(1), a.count(2),
                                       formulas::Form::thesis};
  const formulas::LogGpAllgather gather{measured_parameters(), a.integer(1), a.count(2),
                                        formulas::Form::thesis};
  if (name == "linear scatter") return scatter.linear();
  if (name == "splitting scatter") return scatter.splitting();
  if (name == "fastest leaf") return scatter.splitting_fastest_leaf();
  if (name == "n-way scatter") return scatter.n_way(a.integer(3));
  if (name == "ring") return gather.ring();
  if (name == "modified ring") return gather.modified_ring();
  if (name == "neighbour exchange") return gather.neighbour_exchange();
  if (name == "recursive doubling") return gather.recursive_doubling();
  if (name == "Bruck") return gather.bruck(a.integer(3));
  if (name == "optimal scatter")
    return formulas::optimal_splitting(measured_parameters(), a.integer(1), a.count(2))
        .time[static_cast<std::size_t>(a.integer(1))];
  refuse(name);
}

/// From how many ranks on the linear scatter loses in LogfP, f = 2.
double linear_loses_to(const Arguments& a) {
  const auto tree = [](const formulas::LogFp& model, plan::Count ranks) {
    return formulas::n_way_scatter_time(model, ranks, 2);
  };
  const auto model = plot_parameters(2);
  return static_cast<double>(
      a.text(0) == "n-way scatter"
          ? formulas::ranks_from_which_linear_loses(model, tree, 64)
          : formulas::ranks_from_which_linear_loses(model, formulas::splitting_scatter_time, 64));
}

/// N-way trees for 2 … 40 ranks and 1 … 8 children whose schedules end later than the printed
/// maximum; the first bytes of blocks are free in the thesis.
double trees_later_than_printed(Computations& all) {
  double later = 0.0;
  for (int k = 1; k <= 8; ++k)
    for (int ranks = 2; ranks <= 40; ++ranks) {
      const std::vector<Value> formula{
          {std::string("n-way scatter")}, {1.0 * ranks}, {1024.0}, {1.0 * k}};
      const std::vector<Value> run{
          {fmt::format("n-way scatter {}", k)}, {1.0 * ranks}, {1024.0}, {std::string("oscar")}};
      const double allowed = (ranks - 1) * measured_parameters().byte_time + 1e-6;
      if (all.call("time", run).number() > all.call("loggp", formula).number() + allowed) ++later;
    }
  return later;
}

/// What the optimal scatter gains over splitting: P, L', g.
double splitting_gain(const Arguments& a, bool as_printed) {
  const formulas::LogGp model{.latency = a.number(1), .gap = a.number(2)};
  const int ranks = a.integer(0);
  if (as_printed) return formulas::printed_splitting_gain(model, ranks);
  return formulas::LogGpScatter{model, ranks, 1}.splitting() -
         formulas::optimal_splitting(model, ranks, 1).time[static_cast<std::size_t>(ranks)];
}

/// Allreduce with alpha, beta, gamma: equation, N, bytes.
double prior_allreduce(const Arguments& a) {
  constexpr formulas::LatencyBandwidth model{1e-6, 0.1e-9, 0.05e-9};
  const auto name = a.text(0);
  if (name == "fan-in and fan-out")
    return formulas::tree_allreduce_time(model, a.integer(1), a.number(2));
  if (name == "doubling")
    return formulas::recursive_doubling_time(model, a.integer(1), a.number(2));
  if (name == "composite")
    return formulas::composite_allreduce_time(model, a.integer(1), a.number(2));
  refuse(name);
}

/// Seconds of the steps of a scatter between groups of ranks that differ in a bit of their number:
/// ranks, bit, 1 / beta_1, 1 / beta_2, channels, m.
std::vector<double> grouped_scatter(const Arguments& a) {
  std::vector<int> groups;
  for (int rank = 0; rank < a.integer(0); ++rank) groups.push_back(rank >> a.integer(1) & 1);
  return formulas::grouped_scatter_steps({.inside_byte_time = 1.0 / a.number(2),
                                          .between_byte_time = 1.0 / a.number(3),
                                          .channels = a.number(4)},
                                         groups, a.number(5));
}

/// "6 m beta_1 + 2 m beta_2": of a scatter to eight ranks with two channels, by the bit of groups.
std::string scatter_in_betas(const Arguments& a) {
  constexpr double between = 1000.0;
  std::vector<int> groups;
  for (int rank = 0; rank < 8; ++rank) groups.push_back(rank >> a.integer(0) & 1);
  double inside = 0.0;
  double crossing = 0.0;
  for (const double step : formulas::grouped_scatter_steps(
           {.inside_byte_time = 1.0, .between_byte_time = between, .channels = 2.0}, groups, 1.0))
    (step >= between ? crossing : inside) += step;
  return fmt::format("{:g} m beta_1 + {:g} m beta_2", inside, crossing / between);
}

}  // namespace

void add_formulas(Computations& all) {
  all.add("logfp", [](const Arguments& a) { return Value{logfp(a)}; });
  all.add("loggp", [](const Arguments& a) { return Value{loggp(a)}; });
  all.add("linear_loses_to", [](const Arguments& a) { return Value{linear_loses_to(a)}; });
  all.add("trees_later_than_printed",
          [&all](const Arguments&) { return Value{trees_later_than_printed(all)}; });
  all.add("rounds_of", [](const Arguments& a) {
    return Value{static_cast<double>(formulas::rounds_of(a.integer(0), a.integer(1)))};
  });
  all.add("printed_gain", [](const Arguments& a) { return Value{splitting_gain(a, true)}; });
  all.add("splitting_gain", [](const Arguments& a) { return Value{splitting_gain(a, false)}; });
  all.add("prior_allreduce", [](const Arguments& a) { return Value{prior_allreduce(a)}; });
  all.add("best_burst",
          [](const Arguments& a) { return Value{formulas::best_burst(a.number(0))}; });
  all.add("largest_factor", [](const Arguments& a) {
    return Value{static_cast<double>(formulas::largest_factor(a.number(0)))};
  });
  // 0 channels: any number of them.
  all.add("limited_scatter", [](const Arguments& a) {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    const double channels = a.number(1) == 0.0 ? unlimited : a.number(1);
    return Value{formulas::channel_limited_scatter(a.integer(0), channels)};
  });
  all.add("grouped_scatter", [](const Arguments& a) {
    std::vector<Value> steps;
    for (const double step : grouped_scatter(a)) steps.push_back({step});
    return Value{std::move(steps)};
  });
  all.add("scatter_in_betas", [](const Arguments& a) { return Value{scatter_in_betas(a)}; });
}

}  // namespace cartwright::validation
