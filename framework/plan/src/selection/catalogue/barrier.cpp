// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
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

constexpr std::array barrier_stages{GroupStage{Operation::barrier, across, "dissemination(1)"}};

// Who shares memory is waited for all at once: a look at a word more costs nothing.
int ways_inside(const std::string& tuning, int ranks) {
  constexpr int most = 15;
  return tuning.starts_with("nodes") ? std::clamp(ranks - 1, 1, most) : 1;
}

Rounds hierarchical_barrier_rounds(const Problem& problem, const std::string& tuning) {
  const GroupTuning groups(barrier_stages, problem, tuning);
  Rounds rounds = groups.rounds();
  append(rounds, inner_rounds(groups.hierarchy(), [&](int ranks) {
           const int ways = ways_inside(tuning, ranks);
           Rounds both = tree_rounds_up(ranks, ways, 0, false);
           append(both, tree_rounds(ranks, ways, 0));
           return both;
         }));
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
       .tuning = "groups",
       .source = "trees in groups, dissemination between them",
       .stages = barrier_stages,
       .suits = suits_groups,
       .tunings = group_tunings,
       .make = [](const Problem& p, const std::string& tuning) -> Maker {
         return [tuning, groups = GroupTuning(barrier_stages, p, tuning)](Team team) {
           return hierarchical::barrier(
               team, groups.hierarchy(),
               {groups.flat(0),
                [&](Team group) {
                  return barrier::fan_in(group, ways_inside(tuning, group.ranks));
                },
                [&](Team group) {
                  return barrier::fan_out(group, ways_inside(tuning, group.ranks));
                }});
         };
       },
       .rounds = hierarchical_barrier_rounds},
  };
}

}  // namespace

std::span<const Algorithm> barrier_list() {
  static const std::vector<Algorithm> algorithms = barrier_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
