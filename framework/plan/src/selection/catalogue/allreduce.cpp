// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <cartwright/plan/selection/multiplying_planner.hpp>
#include <memory>
#include <stdexcept>

#include "factors.hpp"
#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

// A power of two of ranks works; the others fold into them before, and get the result afterwards.
Rounds folded(const Problem& problem, const Rounds& core) {
  const bool folds = power_of_two_below(problem.ranks) < problem.ranks;
  Rounds rounds;
  if (folds) rounds.push_back({.bytes = problem.bytes(), .span = 2, .combined = problem.bytes()});
  append(rounds, core);
  if (folds) rounds.push_back({.bytes = problem.bytes(), .span = 2});
  return rounds;
}

Rounds rabenseifner_rounds(const Problem& problem) {
  const int core = power_of_two_below(problem.ranks);
  Rounds rounds = near_halving_rounds(core, problem.bytes(), true);
  append(rounds, reversed(near_halving_rounds(core, problem.bytes(), false), false));
  return folded(problem, rounds);
}

Rounds staged_rounds(const Problem& problem, const std::string& tuning) {
  Rounds rounds;
  Count distance = 1;
  for (const Stage& stage : parse_stages(tuning)) {
    RoundShape round{.bytes = problem.bytes()};
    switch (stage.kind) {
      case StageKind::factor:
      case StageKind::merge:
      case StageKind::inverse_merge: {
        const int more = stage.kind == StageKind::merge ? 1
                         : stage.kind == StageKind::inverse_merge
                             ? (stage.remainders + stage.groups - 1) / stage.groups
                             : 0;
        round.sends = stage.factor - 1 + more;
        round.receives = stage.factor - 1;
        round.distance = distance * (stage.factor - 1);
        round.span = stage.kind == StageKind::factor ? distance * stage.factor : 0;
        round.combined = (stage.factor - 1) * problem.bytes();
        distance *= stage.factor;
        break;
      }
      case StageKind::collapse:
        round.receives = stage.base - 1;
        round.span = stage.base;
        round.combined = (stage.base - 1) * problem.bytes();
        break;
      case StageKind::expand:
        round.sends = stage.base - 1;
        round.span = stage.base;
        break;
    }
    rounds.push_back(round);
  }
  return rounds;
}

// What a stage costs between units of the outermost level: a port that is held counts as a busy
// sender.
MultiplyingParameters parameters_of(const Problem& problem, const Machine& machine) {
  MultiplyingParameters parameters = multiplying_parameters(machine, problem.bytes());
  const Picoseconds gap = picoseconds(machine.levels.front().network.gap.at(problem.bytes()));
  parameters.required_latency = std::max({parameters.required_latency, gap, Picoseconds{1}});
  return parameters;
}

Tunings stage_tunings(const Problem& problem, const Machine& machine) {
  const MultiplyingParameters parameters = parameters_of(problem, machine);
  Tunings tunings{to_string(plan_multiplying(problem.ranks, parameters).stages)};
  std::string heuristic = to_string(heuristic_stages(problem.ranks, parameters));
  if (heuristic != tunings.front()) tunings.push_back(std::move(heuristic));
  return tunings;
}

Rounds elimination_rounds(const Problem& problem) {
  Rounds rounds = doubling_rounds(power_of_two_below(problem.ranks), problem.bytes(), true);
  const bool eliminates = power_of_two_below(problem.ranks) < problem.ranks;
  if (!eliminates) return rounds;
  rounds.insert(rounds.begin(), {.bytes = problem.bytes(), .combined = problem.bytes()});
  rounds.push_back({.bytes = problem.bytes()});
  return rounds;
}

constexpr std::array allreduce_stages{
    GroupStage{Operation::reduce, inside, "binomial"},
    GroupStage{Operation::allreduce, across, "recursive_doubling"},
    GroupStage{Operation::broadcast, inside, "binomial_low_bit_first"}};

// The stages of a reduce-scatter, and the same in reverse.
Rounds rounds_both_ways(const Problem& problem, const std::string& tuning) {
  Rounds rounds = factor_rounds(problem, tuning);
  append(rounds, reversed(rounds, false));
  return rounds;
}

struct OneLate {
  int rank = 0, segments = 1;
};

OneLate one_late_of(const std::string& tuning) {
  const auto comma = tuning.find(',');
  if (comma == std::string::npos)
    throw std::invalid_argument("'" + tuning + "' should be a rank and a number of segments: 7,16");
  // Ranks are counted from 0.
  const std::string rank = tuning.substr(0, comma);
  return {rank == "0" ? 0 : positive_number(rank), positive_number(tuning.substr(comma + 1))};
}

Maker one_late_maker(const Problem& problem, const std::string& tuning) {
  const OneLate late = one_late_of(tuning);
  // A deck is read before ranks are known.
  if (late.rank >= problem.ranks)
    return [rank = late.rank](Team team) -> Schedule {
      throw std::invalid_argument("there is no rank " + std::to_string(rank) + " among " +
                                  std::to_string(team.ranks) + " that could be late");
    };
  const auto plan =
      std::make_shared<const allreduce::OneLatePlan>(problem.ranks, late.rank, late.segments);
  return [plan](Team team) { return allreduce::one_late(team, *plan); };
}

Rounds one_late_rounds(const Problem& problem, const std::string& tuning) {
  const int segments = one_late_of(tuning).segments;
  const Count bytes = part_of(problem.bytes(), segments);
  const int levels = levels_of(problem.ranks, 2);
  return {ring_rounds(levels + segments, bytes, true),
          ring_rounds(levels + segments + 1, bytes, false)};
}

std::vector<Algorithm> allreduce_algorithms() {
  return {
      {.operation = Operation::allreduce,
       .name = "fan_in_fan_out",
       .source = "binomial reduce and broadcast",
       .make = plain<allreduce::fan_in_fan_out>,
       .rounds =
           [](const Problem& p, const std::string&) {
             Rounds rounds = tree_rounds_up(p.ranks, 1, p.bytes(), true);
             append(rounds, tree_rounds(p.ranks, 1, p.bytes()));
             return rounds;
           }},
      {.operation = Operation::allreduce,
       .name = "star",
       .source = "through rank 0",
       .suits = [](const Problem& p) { return p.ranks > 1 && p.ranks <= 256; },
       .make = plain<allreduce::star>,
       .rounds = [](const Problem& p, const std::string&) -> Rounds {
         const int others = p.ranks - 1;
         return {{.receives = others,
                  .bytes = p.bytes(),
                  .distance = others,
                  .combined = others * p.bytes()},
                 {.sends = others, .bytes = p.bytes(), .distance = others}};
       }},
      {.operation = Operation::allreduce,
       .name = "recursive_doubling",
       .source = "Thakur 2005",
       .make = plain<allreduce::recursive_doubling>,
       .rounds =
           [](const Problem& p, const std::string&) {
             return folded(p, doubling_rounds(power_of_two_below(p.ranks), p.bytes(), true));
           }},
      {.operation = Operation::allreduce,
       .name = "recursive_multiplying",
       .tuning = "stages",
       .source = "Rüfenacht 2020",
       .suits = [](const Problem& p) { return p.ranks > 1; },
       .tunings = stage_tunings,
       .make = [](const Problem&, const std::string& tuning) -> Maker {
         const Stages stages = parse_stages(tuning);
         (void)ranks_of(stages);  // throws for stages that fit no number of ranks
         return [stages](Team team) { return allreduce::staged(team, stages); };
       },
       .rounds = staged_rounds},
      {.operation = Operation::allreduce,
       .name = "elimination",
       .source = "Rabenseifner and Träff 2004",
       .make = plain<allreduce::elimination>,
       .rounds = [](const Problem& p, const std::string&) { return elimination_rounds(p); }},
      {.operation = Operation::allreduce,
       .name = "rabenseifner",
       .source = "Rabenseifner 2004",
       .make = plain<allreduce::rabenseifner>,
       .rounds = [](const Problem& p, const std::string&) { return rabenseifner_rounds(p); }},
      {.operation = Operation::allreduce,
       .name = "split_multiplying",
       .tuning = "factors",
       .source = "Rabenseifner 2004 with any factors",
       .suits = has_small_factors,
       .tunings = factor_tunings,
       .make = [](const Problem&, const std::string& tuning) -> Maker {
         return [factors = factors_of(tuning)](Team team) {
           return allreduce::split_multiplying(team, factors);
         };
       },
       .rounds = rounds_both_ways},
      {.operation = Operation::allreduce,
       .name = "ring",
       .source = "Patarasuk and Yuan 2009",
       .any_operator = false,
       .make = plain<allreduce::ring>,
       .rounds = [](const Problem& p, const std::string&) -> Rounds {
         if (p.ranks == 1) return {};
         const Count block = part_of(p.bytes(), p.ranks);
         return {ring_rounds(p.ranks - 1, block, true), ring_rounds(p.ranks - 1, block, false)};
       }},
      {.operation = Operation::allreduce,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "reduce in groups, allreduce between them, broadcast in groups",
       .stages = allreduce_stages,
       .suits = suits_groups,
       .tunings = group_tunings,
       .make = in_groups<allreduce_stages, hierarchical::allreduce>,
       .rounds = rounds_in_groups<allreduce_stages>},
      {.operation = Operation::allreduce,
       .name = "one_late",
       .tuning = "late rank, segments",
       .source = "after Marendic 2016, for one rank that is late",
       .any_operator = false,
       .suits = [](const Problem& p) { return p.ranks > 1; },
       .tunings = [](const Problem&, const Machine&) { return Tunings{}; },
       .make = one_late_maker,
       .rounds = one_late_rounds},
  };
}

}  // namespace

std::span<const Algorithm> allreduce_list() {
  static const std::vector<Algorithm> algorithms = allreduce_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
