// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/barrier.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>

#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

Rounds dissemination_rounds(int ranks, int ways) {
  Rounds rounds;
  Count distance = 1;
  for (int round = 0; round < levels_of(ranks, ways + 1); ++round) {
    rounds.push_back({.sends = ways, .receives = ways, .distance = distance * ways});
    distance *= ways + 1;
  }
  return rounds;
}

Rounds hierarchical_barrier_rounds(const Problem& problem, const std::string& tuning) {
  const auto groups = group_sizes(tuning);
  Rounds rounds = inner_rounds(problem.ranks, groups,
                               [](int ranks) { return tree_rounds_up(ranks, 1, 0, false); });
  append(rounds, outer_rounds(problem.ranks, groups,
                              [](int ranks) { return dissemination_rounds(ranks, 1); }));
  append(rounds,
         inner_rounds(problem.ranks, groups, [](int ranks) { return tree_rounds(ranks, 1, 0); }));
  return rounds;
}

std::vector<Algorithm> barrier_algorithms() {
  return {
      {.operation = Operation::barrier,
       .name = "dissemination",
       .tuning = "ways",
       .source = "Hoefler 2006",
       .tunings = fan_out_tunings,
       .make = [](const Problem&, const std::string& tuning) -> Maker {
         return [ways = positive_number(tuning)](Team team) {
           return barrier::dissemination(team, ways);
         };
       },
       .rounds =
           [](const Problem& p, const std::string& tuning) {
             return dissemination_rounds(p.ranks, positive_number(tuning));
           }},
      {.operation = Operation::barrier,
       .name = "hierarchical",
       .tuning = "ranks of a group",
       .source = "trees in groups, dissemination between them",
       .suits = more_than_two_ranks,
       .tunings = group_tunings,
       .make = in_groups<hierarchical::BarrierLevels, hierarchical::barrier>,
       .rounds = hierarchical_barrier_rounds},
  };
}

}  // namespace

std::span<const Algorithm> barrier_list() {
  static const std::vector<Algorithm> algorithms = barrier_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
