// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <stdexcept>
#include <tuple>

namespace cartwright::plan {

namespace {

// Times are integers and names differ, so that there are no ties and all ranks agree.
bool quicker(const Candidate& a, const Candidate& b) {
  return std::tuple(a.time, a.choice.algorithm->name, a.choice.tuning) <
         std::tuple(b.time, b.choice.algorithm->name, b.choice.tuning);
}

std::string text_of(const Problem& problem) {
  return std::string(name_of(problem.operation)) +
         (problem.operation == Operation::barrier
              ? ""
              : " of " + std::to_string(problem.bytes()) + " B") +
         " on " + std::to_string(problem.ranks) + (problem.ranks == 1 ? " rank" : " ranks");
}

}  // namespace

std::int64_t steps_of(const Problem& problem, const Choice& choice) {
  // In rounds in which everybody sends and receives, all ranks do what the busiest does; in those
  // of trees a message is sent and received by somebody for each rank.
  std::int64_t steps = 0;
  for (const RoundShape& round : choice.algorithm->rounds(problem, choice.tuning)) {
    const std::int64_t messages = std::min(round.sends, round.receives);
    steps += round.times * (messages * (round.combined > 0 ? 3 : 2) + round.copies + 1);
  }
  return (steps + 2) * problem.ranks;
}

Picoseconds formula_time(const Problem& problem, const Machine& machine, const Choice& choice) {
  return time_of(machine, problem.ranks, choice.algorithm->rounds(problem, choice.tuning));
}

Simulation simulate_choice(const Problem& problem, const Machine& machine, const Choice& choice,
                           const SimulationOptions& options) {
  const Maker make = choice.maker(problem);
  const Schedule first = make({.ranks = problem.ranks, .me = 0});
  return simulate(
      problem.ranks, [&](int rank) { return make({.ranks = problem.ranks, .me = rank}); },
      layout_of(problem, first.blocks()), static_cast<std::size_t>(problem.element_size), machine,
      options);
}

std::vector<Candidate> rank_candidates(const Problem& problem, const Machine& machine,
                                       const SelectionLimits& limits) {
  std::vector<Candidate> candidates;
  for (Choice& choice : choices(problem, machine)) {
    const Picoseconds time = formula_time(problem, machine, choice);
    candidates.push_back({std::move(choice), time, CostKind::formula});
  }
  std::ranges::sort(candidates, quicker);
  int finalists = 0;
  for (Candidate& candidate : candidates) {
    if (finalists == limits.finalists) break;
    if (steps_of(problem, candidate.choice) > limits.simulated_steps) continue;
    candidate.time =
        simulate_choice(problem, machine, candidate.choice, {.record = Record::times}).total;
    candidate.kind = CostKind::simulated;
    ++finalists;
  }
  std::ranges::sort(candidates, quicker);
  return candidates;
}

Candidate select(const Problem& problem, const Machine& machine, const SelectionLimits& limits) {
  const auto ranked = rank_candidates(problem, machine, limits);
  if (ranked.empty()) throw std::invalid_argument("no algorithm suits an " + text_of(problem));
  return ranked.front();
}

std::string explain(const Problem& problem, const Machine& machine,
                    const std::vector<Candidate>& ranked) {
  if (ranked.empty()) return text_of(problem) + ": no algorithm suits";
  const Candidate& best = ranked.front();
  std::string line = text_of(problem) + " of " + machine.name + ": " + best.choice.name() + ", " +
                     time_text(best.time);
  const auto next = std::ranges::find_if(ranked, [&](const Candidate& other) {
    return other.choice.algorithm != best.choice.algorithm;
  });
  if (next == ranked.end()) return line;
  line += "; next " + next->choice.name() + ", " + time_text(next->time);
  if (best.time > 0)
    line += " (+" + std::to_string((next->time - best.time) * 100 / best.time) + " %)";
  return line;
}

}  // namespace cartwright::plan
