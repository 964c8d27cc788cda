// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/simulate.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <unordered_map>

#include "simulate/by_dependencies.hpp"
#include "simulate/compact.hpp"
#include "simulate/in_order.hpp"

namespace cartwright::plan {

namespace {

using simulation::CompactSchedules;
using simulation::Outcome;

void check_options(int ranks, const SimulationOptions& options) {
  if (ranks < 1) throw std::invalid_argument("a simulation needs at least one rank");
  if (!options.arrivals.empty() && options.arrivals.size() != static_cast<std::size_t>(ranks))
    throw std::invalid_argument("a simulation of " + std::to_string(ranks) + " ranks is given " +
                                std::to_string(options.arrivals.size()) + " arrivals");
}

bool busier(const Traffic& a, const Traffic& b) {
  return a.bytes != b.bytes ? a.bytes > b.bytes : a.messages > b.messages;
}

LevelTraffic level_traffic(const CompactSchedules& schedules, std::size_t level) {
  const Machine& machine = schedules.machine();
  LevelTraffic traffic{machine.levels[level].name, {}, 0, {}};
  std::unordered_map<int, Traffic> units;
  for (int r = 0; r < schedules.ranks(); ++r) {
    const Traffic& sent =
        schedules.sent()[static_cast<std::size_t>(r) * machine.levels.size() + level];
    if (sent.messages == 0) continue;
    Traffic& unit = units[unit_of(machine, level, schedules.placement().core(r))];
    for (Traffic* sum : {&traffic.all, &unit}) {
      sum->messages += sent.messages;
      sum->bytes += sent.bytes;
    }
  }
  for (const auto& [unit, sent] : units)
    if (busier(sent, traffic.busiest) || (sent == traffic.busiest && unit < traffic.busiest_unit)) {
      traffic.busiest_unit = unit;
      traffic.busiest = sent;
    }
  return traffic;
}

void set_outcome(Simulation& result, Outcome outcome) {
  result.finish = std::move(outcome.finish);
  const auto [earliest, latest] = std::ranges::minmax(result.finish);
  result.total = latest;
  result.spread = latest - earliest;
  result.timeline.ranks = static_cast<int>(result.finish.size());
  result.timeline.steps = std::move(outcome.steps);
  std::ranges::sort(result.timeline.steps, [](const TimelineStep& a, const TimelineStep& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.step < b.step;
  });
}

// `layout(rank)` gives a Layout, or a reference to one.
template <class LayoutOf>
Simulation simulate_with(int ranks, const ScheduleMaker& make, const LayoutOf& layout,
                         std::size_t element_size, const Machine& machine,
                         const SimulationOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  check_options(ranks, options);
  const bool traffic = options.record != Record::times;
  CompactSchedules schedules(ranks, machine, options.placement, traffic);
  Simulation result;
  if (options.execution == Execution::by_dependencies) {
    simulation::ByDependencies steps;
    for (int r = 0; r < ranks; ++r) steps.add(schedules, make(r), layout(r), element_size);
    set_outcome(result, steps.run(schedules, options));
  } else {
    for (int r = 0; r < ranks; ++r) schedules.add(make(r), layout(r), element_size);
    set_outcome(result, simulation::run_in_order(schedules, options));
  }
  result.steps = static_cast<Count>(schedules.steps().size());
  if (traffic)
    for (std::size_t level = 0; level < machine.levels.size(); ++level)
      result.levels.push_back(level_traffic(schedules, level));
  result.sent = schedules.take_sent();
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

Simulation simulate(int ranks, const ScheduleMaker& make, const Layout& layout,
                    std::size_t element_size, const Machine& machine,
                    const SimulationOptions& options) {
  const auto same = [&layout](int) -> const Layout& { return layout; };
  return simulate_with(ranks, make, same, element_size, machine, options);
}

Simulation simulate(int ranks, const ScheduleMaker& make, const LayoutMaker& layout,
                    std::size_t element_size, const Machine& machine,
                    const SimulationOptions& options) {
  return simulate_with(ranks, make, layout, element_size, machine, options);
}

Machine flat_machine(Network network, double reduce_overhead, double reduce_byte_time) {
  Machine machine;
  machine.name = "flat " + network.model;
  Level level;
  level.name = "rank";
  level.network = std::move(network);
  machine.levels.push_back(std::move(level));
  machine.reduce_overhead = reduce_overhead;
  machine.reduce_byte_time = reduce_byte_time;
  return machine;
}

Machine unit_machine() {
  Machine machine = flat_machine(log_p(1.0, 1.0, 1.0, 0.0), 1.0);
  machine.name = "unit";
  return machine;
}

}  // namespace cartwright::plan
