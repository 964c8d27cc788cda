// SPDX-License-Identifier: Apache-2.0
// Rüfenacht 2020, chapter 5: allreduces by recursive multiplying.
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/selection/multiplying_cost.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <cartwright/plan/selection/multiplying_planner.hpp>
#include <limits>
#include <numeric>

#include "computations.hpp"

namespace cartwright::validation {

namespace {

plan::Simulation simulated(const plan::Stages& stages, const plan::Machine& machine) {
  const int ranks = plan::ranks_of(stages);
  return plan::simulate(
      ranks, [&](int me) { return plan::allreduce::staged({.ranks = ranks, .me = me}, stages); },
      plan::Layout(plan::Cuts::uniform(1, 1)), 8, machine);
}

/// Calls with every ordered factorisation of a number of ranks.
template <class Call>
void for_each_factorisation(int rest, std::vector<int>& factors, const Call& call) {
  if (rest == 1) return call(plan::factor_stages(factors));
  for (int factor = 2; factor <= rest; ++factor) {
    if (rest % factor != 0) continue;
    factors.push_back(factor);
    for_each_factorisation(rest / factor, factors, call);
    factors.pop_back();
  }
}

/// As in Table 5.2: "(5, 4, 2) + 3".
std::string table_text(const plan::Stages& stages) {
  std::vector<int> factors;
  int remainders = 0;
  for (const plan::Stage& stage : stages) {
    if (stage.kind == plan::StageKind::collapse) return plan::to_string(stages);
    factors.push_back(stage.factor);
    remainders = stage.remainders > 0 ? stage.remainders : remainders;
  }
  const std::string text = fmt::format("({})", fmt::join(factors, ", "));
  return remainders == 0 ? text : fmt::format("{} + {}", text, remainders);
}

/// And back.
plan::Stages table_stages(std::string text) {
  const bool is_merged = text.find('+') != std::string::npos;
  std::vector<int> numbers;
  for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != std::string::npos;) {
    std::size_t length = 0;
    numbers.push_back(std::stoi(text.substr(at), &length));
    at += length;
  }
  if (!is_merged) return plan::factor_stages(numbers);
  const int remainders = numbers.back();
  numbers.pop_back();
  return plan::merged_stages(numbers, remainders);
}

/// "a4,a4", "doubling 7" or "(5, 4) + 2".
plan::Stages stages_named(const std::string& text) {
  if (text.starts_with("doubling ")) return plan::doubling_stages(std::stoi(text.substr(9)));
  return text.starts_with("(") ? table_stages(text) : plan::parse_stages(text);
}

/// A ratio a_p / a_r (times count in a_r, which is a second), or a machine with messages of 8 bytes
/// or of as many as a second argument says.
plan::MultiplyingParameters parameters_of(const Arguments& a, std::size_t i) {
  if (!a[i].is_text()) return plan::multiplying_parameters(a.number(i));
  const auto machine = machine_named(a.text(i));
  auto parameters = plan::multiplying_parameters(machine, a.size() > i + 1 ? a.count(i + 1) : 8);
  parameters.combine_overhead = plan::picoseconds(machine.stage_overhead);
  return parameters;
}

/// The best that is at least as good as the heuristic, among merges of fewer ranks than the largest
/// factor.
plan::MultiplyingPlan best_of(int ranks, const plan::MultiplyingParameters& parameters) {
  return plan::plan_multiplying(ranks, parameters, plan::Remainders::below_largest_factor);
}

double efficiency_of(plan::Picoseconds best, plan::Picoseconds time) {
  return time == 0 ? 100.0 : 100.0 * static_cast<double>(best) / static_cast<double>(time);
}

/// Percent over 1 … 1024 ranks of doubling, the heuristic without and with sorted factors.
Value average_efficiencies(const Arguments& a) {
  const auto parameters = parameters_of(a, 0);
  const auto remainders =
      a.text(1) == "any" ? plan::Remainders::any : plan::Remainders::below_largest_factor;
  constexpr int most = 1024;
  double doubling = 0.0;
  double unsorted = 0.0;
  double sorted = 0.0;
  for (int ranks = 1; ranks <= most; ++ranks) {
    const auto plan = plan::plan_multiplying(ranks, parameters, remainders);
    const auto efficiency = [&](const plan::Stages& stages) {
      return efficiency_of(plan.time, plan::stages_time(stages, parameters)) / most;
    };
    doubling += efficiency(plan::doubling_stages(ranks));
    unsorted +=
        efficiency(plan::heuristic_stages(ranks, parameters, plan::FactorOrder::largest_first));
    sorted += efficiency(plan.heuristic);
  }
  return {std::vector<Value>{{doubling}, {unsorted}, {sorted}}};
}

/// Numbers of ranks below the given one at which the heuristic isn't the best.
std::string not_best_below(const Arguments& a) {
  const auto parameters = parameters_of(a, 1);
  std::vector<int> counts;
  for (int ranks = 2; ranks < a.integer(0); ++ranks) {
    const auto plan = best_of(ranks, parameters);
    if (plan.time < plan.heuristic_time) counts.push_back(ranks);
  }
  return fmt::format("{}", fmt::join(counts, " "));
}

/// The quickest ordered factorisation.
std::string best_factors(const Arguments& a) {
  const auto parameters = parameters_of(a, 1);
  plan::Stages best;
  plan::Picoseconds time = std::numeric_limits<plan::Picoseconds>::max();
  std::vector<int> factors;
  for_each_factorisation(a.integer(0), factors, [&](const plan::Stages& stages) {
    if (plan::stages_time(stages, parameters) >= time) return;
    time = plan::stages_time(stages, parameters);
    best = stages;
  });
  return plan::to_string(best);
}

/// Ordered factorisations of 2 … N: those whose simulated time is that of the equation to the
/// picosecond, and all.
Value equal_to_the_equation(const Arguments& a) {
  const plan::Machine machine = machine_named(a.text(1));
  const auto parameters = parameters_of(a, 1);
  double equal = 0.0;
  double all = 0.0;
  std::vector<int> factors;
  for (int ranks = 2; ranks <= a.integer(0); ++ranks)
    for_each_factorisation(ranks, factors, [&](const plan::Stages& stages) {
      ++all;
      if (simulated(stages, machine).total == plan::stages_time(stages, parameters)) ++equal;
    });
  return {std::vector<Value>{{equal}, {all}}};
}

/// Seconds between the first and the last rank, when those whose last step is a send are done only
/// when its message has arrived.
double skew_until_arrival(const Arguments& a) {
  const auto stages = stages_named(a.text(0));
  const auto machine = machine_named(a.text(1));
  const auto run = simulated(stages, machine);
  const plan::Network& network = machine.levels.front().network;
  const auto flight =
      plan::picoseconds(network.latency.at(8)) + plan::picoseconds(8 * network.byte_time.at(8));
  std::vector<plan::Picoseconds> done = run.finish;
  const int ranks = plan::ranks_of(stages);
  for (int me = 0; me < ranks; ++me) {
    const auto schedule = plan::allreduce::staged({.ranks = ranks, .me = me}, stages);
    if (schedule.steps().back().sends()) done[static_cast<std::size_t>(me)] += flight;
  }
  const auto [first, last] = std::ranges::minmax(done);
  return plan::seconds(last - first);
}

/// Ranks that hold the sum of all after an allreduce with these factors; 0 if there is none.
double ranks_with_the_sum(const Arguments& a) {
  const int ranks = a.integer(0);
  const auto factors = a[1].integers();
  if (std::accumulate(factors.begin(), factors.end(), 1, std::multiplies<>()) != ranks) return 0;
  std::vector<plan::Schedule> schedules;
  std::vector<plan::Memory<int>> memories;
  for (int me = 0; me < ranks; ++me) {
    schedules.push_back(
        plan::allreduce::recursive_multiplying({.ranks = ranks, .me = me}, factors));
    memories.push_back({.input = {me + 1}, .output = {0}});
  }
  const std::vector<plan::Layout> layouts(static_cast<std::size_t>(ranks),
                                          plan::Layout(plan::Cuts::uniform(1, 1)));
  plan::interpret<int>(schedules, layouts, memories, std::plus<>());
  return static_cast<double>(std::ranges::count_if(memories, [&](const auto& memory) {
    return memory.output.front() == ranks * (ranks + 1) / 2;
  }));
}

}  // namespace

void add_multiplying(Computations& all) {
  // Seconds of stages: in the model, and simulated.
  all.add("stages_time", [](const Arguments& a) {
    return Value{plan::seconds(plan::stages_time(stages_named(a.text(0)), parameters_of(a, 1)))};
  });
  all.add("stages_run", [](const Arguments& a) {
    return Value{plan::seconds(simulated(stages_named(a.text(0)), machine_named(a.text(1))).total)};
  });
  all.add("stages_skew", [](const Arguments& a) {
    return Value{
        plan::seconds(simulated(stages_named(a.text(0)), machine_named(a.text(1))).spread)};
  });
  all.add("stages_messages", [](const Arguments& a) {
    const auto run = simulated(stages_named(a.text(0)), machine_named(a.text(1)));
    return Value{static_cast<double>(run.levels.front().all.messages)};
  });
  all.add("stages_rounds", [](const Arguments& a) {
    const auto stages = stages_named(a.text(0));
    const plan::Team team{.ranks = plan::ranks_of(stages), .me = 0};
    return Value{static_cast<double>(plan::allreduce::staged(team, stages).rounds())};
  });
  // The seconds that one more message of a stage takes.
  all.add("one_more_message",
          [](const Arguments& a) { return Value{plan::seconds(parameters_of(a, 0).each())}; });
  all.add("heuristic", [](const Arguments& a) {
    return Value{table_text(best_of(a.integer(0), parameters_of(a, 1)).heuristic)};
  });
  all.add("best_plan", [](const Arguments& a) {
    return Value{table_text(best_of(a.integer(0), parameters_of(a, 1)).stages)};
  });
  all.add("best_time", [](const Arguments& a) {
    return Value{plan::seconds(best_of(a.integer(0), parameters_of(a, 1)).time)};
  });
  all.add("heuristic_time", [](const Arguments& a) {
    return Value{plan::seconds(best_of(a.integer(0), parameters_of(a, 1)).heuristic_time)};
  });
  all.add("average_efficiencies", average_efficiencies);
  all.add("not_best_below", [](const Arguments& a) { return Value{not_best_below(a)}; });
  all.add("best_factors", [](const Arguments& a) { return Value{best_factors(a)}; });
  all.add("equal_to_the_equation", equal_to_the_equation);
  all.add("skew_until_arrival", [](const Arguments& a) { return Value{skew_until_arrival(a)}; });
  all.add("ranks_with_the_sum", [](const Arguments& a) { return Value{ranks_with_the_sum(a)}; });
}

}  // namespace cartwright::validation
