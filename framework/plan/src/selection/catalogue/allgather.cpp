// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>

#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

Rounds neighbour_exchange_rounds(const Problem& problem) {
  if (problem.ranks == 1) return {};
  if (problem.ranks % 2 == 1) return {ring_rounds(problem.ranks - 1, problem.bytes(), false)};
  return {ring_rounds(1, problem.bytes(), false),
          ring_rounds(problem.ranks / 2 - 1, 2 * problem.bytes(), false)};
}

Rounds doubling_allgather_rounds(const Problem& problem) {
  const int core = power_of_two_below(problem.ranks);
  Rounds rounds;
  if (core < problem.ranks) rounds.push_back({.bytes = problem.bytes(), .span = 2});
  append(rounds, reversed(far_halving_rounds(core, problem.bytes() * problem.ranks, false), false));
  if (core < problem.ranks) rounds.push_back({.bytes = problem.bytes() * problem.ranks, .span = 2});
  return rounds;
}

// Viertel 2007, 5.4.5: k messages a round, each of what is there already, until the last round.
Rounds bruck_rounds(const Problem& problem, int ports, bool rotates) {
  Rounds rounds;
  for (Count held = 1; held < problem.ranks;) {
    const Count missing = problem.ranks - held;
    const Count chunk = held * (ports + 1) <= problem.ranks ? held : part_of(missing, ports);
    const auto messages = static_cast<int>(std::min<Count>(ports, part_of(missing, chunk)));
    rounds.push_back({.sends = messages,
                      .receives = messages,
                      .bytes = chunk * problem.bytes(),
                      .distance = std::min<Count>(held * messages, problem.ranks)});
    held += std::min<Count>(missing, chunk * messages);
  }
  if (rotates)
    rounds.push_back({.sends = 0, .receives = 0, .copied = problem.ranks * problem.bytes()});
  return rounds;
}

constexpr std::array allgather_stages{
    GroupStage{Operation::gather, inside, "recursive_splitting"},
    GroupStage{Operation::allgather, across, "ring"},
    GroupStage{Operation::broadcast, inside, "binomial_low_bit_first"}};

std::vector<Algorithm> allgather_algorithms() {
  return {
      {.operation = Operation::allgather,
       .name = "ring",
       .source = "Viertel 2007, 5.4.1",
       .make = plain<allgather::ring>,
       .rounds = [](const Problem& p, const std::string&) -> Rounds {
         if (p.ranks == 1) return {};
         return {ring_rounds(p.ranks - 1, p.bytes(), false)};
       }},
      {.operation = Operation::allgather,
       .name = "direct",
       .source = "Viertel 2007, 5.4.2 (modified ring)",
       .make = plain<allgather::direct>,
       .rounds = [](const Problem& p,
                    const std::string&) { return burst_rounds(p, p.ranks - 1, p.ranks - 1); }},
      {.operation = Operation::allgather,
       .name = "neighbour_exchange",
       .source = "Viertel 2007, 5.4.3",
       .make = plain<allgather::neighbour_exchange>,
       .rounds = [](const Problem& p, const std::string&) { return neighbour_exchange_rounds(p); }},
      {.operation = Operation::allgather,
       .name = "recursive_doubling",
       .source = "Viertel 2007, 5.4.4, with a fold for other counts",
       .make = plain<allgather::recursive_doubling>,
       .rounds = [](const Problem& p, const std::string&) { return doubling_allgather_rounds(p); }},
      {.operation = Operation::allgather,
       .name = "bruck",
       .tuning = "ports",
       .source = "Bruck 1997; Viertel 2007, 5.4.5",
       .tunings = fan_out_tunings,
       .make = [](const Problem&, const std::string& tuning) -> Maker {
         return [ports = positive_number(tuning)](Team team) {
           return allgather::bruck(team, ports, allgather::LastRound::balanced);
         };
       },
       .rounds =
           [](const Problem& p, const std::string& tuning) {
             return bruck_rounds(p, positive_number(tuning), true);
           }},
      {.operation = Operation::allgather,
       .name = "dissemination",
       .source = "Viertel 2007, 5.4.6",
       .make = plain<allgather::dissemination>,
       .rounds = [](const Problem& p, const std::string&) { return bruck_rounds(p, 1, false); }},
      {.operation = Operation::allgather,
       .name = "sparbit",
       .source = "Loch and Koslovski 2021",
       .make = plain<allgather::sparbit>,
       .rounds =
           [](const Problem& p, const std::string&) {
             Rounds rounds;
             Count messages = 1;
             for (int round = 0; round < levels_of(p.ranks, 2); ++round, messages *= 2)
               rounds.push_back(
                   {.sends = static_cast<int>(std::min<Count>(messages, p.ranks / 2)),
                    .receives = static_cast<int>(std::min<Count>(messages, p.ranks / 2)),
                    .bytes = p.bytes(),
                    .distance = p.ranks / (2 * messages) + 1});
             return rounds;
           }},
      {.operation = Operation::allgather,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "gather in groups, allgather between them, broadcast in groups",
       .stages = allgather_stages,
       .suits = suits_groups_of_blocks,
       .tunings = group_tunings,
       .make = in_groups<allgather_stages, hierarchical::allgather>,
       .rounds = rounds_in_groups<allgather_stages>},
  };
}

}  // namespace

std::span<const Algorithm> allgather_list() {
  static const std::vector<Algorithm> algorithms = allgather_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
