// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <cartwright/plan/simulation/arrivals.hpp>
#include <cartwright/rt/error.hpp>
#include <stdexcept>
#include <tuple>

namespace cartwright::command {

namespace {

std::vector<plan::Choice> asked_for(const SimulateOptions& options, const plan::Machine& machine) {
  if (options.algorithms.empty()) return plan::choices(options.problem, machine);
  std::vector<plan::Choice> all;
  for (const std::string& text : options.algorithms) {
    try {
      all.push_back(plan::parse_choice(options.problem.operation, text));
    } catch (const std::invalid_argument& error) {
      throw rt::input_error(error.what());
    }
  }
  return all;
}

// The best tuning of each algorithm, by formula.
std::vector<Compared> best_of_each(std::vector<Compared> all) {
  std::vector<Compared> best;
  for (Compared& candidate : all) {
    const bool known = std::ranges::any_of(best, [&](const Compared& other) {
      return other.choice.algorithm == candidate.choice.algorithm;
    });
    if (!known) best.push_back(std::move(candidate));
  }
  return best;
}

void sort_by_time(std::vector<Compared>& all) {
  std::ranges::sort(all, {}, [](const Compared& c) { return std::tuple(c.time, c.choice.name()); });
}

}  // namespace

plan::SimulationOptions simulation_options(const SimulateOptions& options,
                                           std::vector<plan::Picoseconds>& arrivals) {
  const int ranks = options.problem.ranks;
  const plan::Picoseconds latest = plan::picoseconds(options.latest);
  if (options.arrivals == "ascending") arrivals = plan::ascending_arrivals(ranks, latest);
  if (options.arrivals == "one_late") arrivals = plan::one_late_arrival(ranks, ranks - 1, latest);
  if (options.arrivals == "random") arrivals = plan::random_arrivals(ranks, latest, options.seed);
  plan::SimulationOptions simulation;
  simulation.arrivals = arrivals;
  simulation.noise = {.seed = options.seed, .latency = options.noise};
  return simulation;
}

plan::Machine with_room(plan::Machine machine, int ranks) {
  plan::Level& outermost = machine.levels.front();
  const int each = machine.ranks_in_unit(0);
  if (outermost.units > 0) outermost.units = std::max(outermost.units, (ranks - 1) / each + 1);
  return machine;
}

std::vector<Compared> compare(const SimulateOptions& options, const plan::Machine& machine) {
  std::vector<Compared> all;
  for (plan::Choice& choice : asked_for(options, machine)) {
    const plan::Picoseconds time = plan::formula_time(options.problem, machine, choice);
    all.push_back({.choice = std::move(choice), .time = time, .formula = time, .simulation = {}});
  }
  if (all.empty()) throw rt::input_error("no algorithm suits this operation on so many ranks");
  sort_by_time(all);
  if (!options.all_tunings && options.algorithms.empty()) all = best_of_each(std::move(all));

  std::vector<plan::Picoseconds> arrivals;
  const plan::SimulationOptions simulation = simulation_options(options, arrivals);
  for (Compared& candidate : all) {
    if (plan::steps_of(options.problem, candidate.choice) > options.most_steps) continue;
    candidate.simulation =
        plan::simulate_choice(options.problem, machine, candidate.choice, simulation);
    candidate.time = candidate.simulation.total;
    candidate.kind = plan::CostKind::simulated;
  }
  sort_by_time(all);
  return all;
}

}  // namespace cartwright::command
