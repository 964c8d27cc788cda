// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace cartwright::plan {

namespace {

// Times are integers and names differ, so that all ranks agree.
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

/// The node of each rank.
std::function<int(int)> nodes_for(const Problem& problem, const Machine& machine) {
  if (const Hierarchy* const nodes = problem.nodes; nodes != nullptr)
    return [nodes](int rank) { return nodes->member_at(0, nodes->place_of(rank)); };
  return [unit = machine.ranks_in_unit(0)](int rank) { return rank / unit; };
}

/// The first of equal ones is the one that keeps to the node.
void break_ties(const Problem& problem, const Machine& machine, std::span<Candidate> equal) {
  if (equal.size() < 2) return;
  std::vector<std::pair<Reach, std::size_t>> order;
  for (std::size_t i = 0; i < equal.size(); ++i) {
    const auto reach = reach_of(problem, machine, equal[i].choice);
    if (!reach) return;
    order.emplace_back(*reach, i);
  }
  std::ranges::sort(order);
  std::vector<Candidate> sorted;
  for (const auto& [reach, i] : order) sorted.push_back(std::move(equal[i]));
  std::ranges::move(sorted, equal.begin());
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

std::optional<Reach> reach_of(const Problem& problem, const Machine& machine,
                              const Choice& choice) {
  constexpr std::int64_t most_steps = 50'000;  // a millisecond or two
  if (steps_of(problem, choice) > most_steps) return std::nullopt;
  const auto node_of = nodes_for(problem, machine);
  const Maker make = choice.maker(problem);
  Reach reach;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const Schedule schedule = make({.ranks = problem.ranks, .me = rank});
    const Layout layout = layout_of(problem, schedule.blocks());
    for (const Step& step : schedule.steps()) {
      if (!step.sends()) continue;
      reach.distance += std::abs(step.peer - rank);
      if (node_of(step.peer) == node_of(rank)) continue;
      ++reach.messages;
      if (!schedule.signals()) reach.bytes += length(layout, step.source()) * problem.element_size;
    }
  }
  return reach;
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
  const auto quickest = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
    return candidate.time != candidates.front().time;
  });
  break_ties(problem, machine, {candidates.begin(), quickest});
  return candidates;
}

Choice select_simplest(const Problem& problem, const Machine& machine) {
  // Parameters of a short measurement are rounded by up to 9 %; no model is better than that.
  constexpr double about_as_quick = 1.10;
  const auto ranked = rank_candidates(problem, machine);
  if (ranked.empty()) throw std::invalid_argument("no algorithm suits an " + text_of(problem));
  const double limit = about_as_quick * static_cast<double>(ranked.front().time);
  std::vector<Candidate> simplest;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const Candidate& candidate : ranked) {
    if (static_cast<double>(candidate.time) > limit) break;
    const std::int64_t steps = steps_of(problem, candidate.choice);
    if (steps < fewest) simplest.clear();
    if (steps <= fewest) simplest.push_back(candidate);
    fewest = std::min(fewest, steps);
  }
  break_ties(problem, machine, simplest);
  return simplest.front().choice;
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
