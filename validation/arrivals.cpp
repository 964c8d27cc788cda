// SPDX-License-Identifier: Apache-2.0
// Marendic 2016: plans for when ranks arrive.
#include <algorithm>
#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cartwright/plan/arrivals/message_runs.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cmath>

#include "computations.hpp"

namespace cartwright::validation {

namespace {

using Times = std::vector<plan::Nanoseconds>;

plan::PlanRule rule_of(const Arguments& a, std::size_t i) {
  const auto rule = plan::plan_rule_named(a.text(i));
  return rule.value_or(plan::PlanRule::grouped);
}

/// Ranks, segments, the last one's delay in rounds, rule.
plan::TransferPlan plan_of(const Arguments& a) {
  Times arrivals(static_cast<std::size_t>(a.integer(0)), 0);
  constexpr plan::Nanoseconds round = 1'000'000;
  arrivals.back() = std::llround(a.number(2) * static_cast<double>(round));
  return plan::clairvoyant_plan(
      {.ranks = a.integer(0), .segments = a.integer(1), .round = round, .arrivals = arrivals},
      rule_of(a, 3));
}

/// How many of the numbers of ranks and of segments, powers of two both, need more rounds than
/// ceil(log2 P) + N - 1.
double longer_than_least(int most_ranks, int most_segments) {
  int longer = 0, doublings = 2;
  for (int ranks = 4; ranks <= most_ranks; ranks *= 2, ++doublings)
    for (int segments = 4; segments <= most_segments; segments *= 2)
      if (plan::clairvoyant_plan({.ranks = ranks, .segments = segments}, plan::PlanRule::grouped)
              .rounds != doublings + segments - 1)
        ++longer;
  return longer;
}

/// By the rounds of the paper, in s: an algorithm, ranks, bytes, alpha, beta, gamma, the last one's
/// delay in s.
double time_with_last_late(const Arguments& a) {
  const plan::Problem problem{.operation = plan::Operation::reduce,
                              .ranks = a.integer(1),
                              .elements = a.count(2) / 4,
                              .element_size = 4};
  const plan::Machine machine =
      plan::flat_machine(plan::hockney(a.number(3), a.number(4)), 0.0, a.number(5));
  plan::Choice choice = plan::parse_choice(problem.operation, a.text(0));
  std::vector<plan::Samples> arrivals(static_cast<std::size_t>(problem.ranks));
  const double delay = std::round(1e9 * a.number(6));
  arrivals.back().of_run.fill(delay);
  if (choice.algorithm->make_for != nullptr && delay > 0.0) {
    choice.arrivals.assign(arrivals.size(), 0);
    choice.arrivals.back() = std::llround(delay);
  }
  const plan::MessageRuns runs(problem, plan::PairCosts(problem, machine), choice);
  return 1e-9 * runs.finish_of_one(arrivals, plan::AfterSend::when_sent);
}

}  // namespace

void add_arrivals(Computations& all) {
  all.add("plan_length",
          [](const Arguments& a) { return Value{static_cast<double>(plan_of(a).length)}; });
  all.add("plan_transfers", [](const Arguments& a) {
    return Value{static_cast<double>(plan_of(a).transfers.size())};
  });
  all.add("plan_combines", [](const Arguments& a) {
    const auto transfers = plan_of(a).transfers;
    return Value{
        static_cast<double>(std::ranges::count(transfers, true, &plan::Transfer::combines))};
  });
  all.add("longer_than_least",
          [](const Arguments& a) { return Value{longer_than_least(a.integer(0), a.integer(1))}; });
  all.add("time_with_last_late", [](const Arguments& a) { return Value{time_with_last_late(a)}; });
}

}  // namespace cartwright::validation
