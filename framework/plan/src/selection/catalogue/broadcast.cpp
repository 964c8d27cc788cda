// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>

#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

bool exclusive_or_suits(const Problem& problem) {
  return (problem.ranks & (problem.ranks - 1)) == 0;
}

Rounds broadcast_tree(const Problem& problem) {
  return tree_rounds(problem.ranks, 1, problem.bytes());
}

Rounds k_ary_rounds(const Problem& problem, const std::string& tuning) {
  const int k = positive_number(tuning);
  const int depth = k == 1 ? problem.ranks - 1 : levels_of(problem.ranks * (k - 1) + 1, k) - 1;
  if (depth < 1) return {};
  return {
      {.times = depth, .sends = k, .bytes = problem.bytes(), .distance = problem.ranks / 2 + 1}};
}

Rounds chain_rounds(const Problem& problem, const std::string& tuning) {
  const int segments = positive_number(tuning);
  return pipeline_rounds(problem.ranks - 1, segments, part_of(problem.bytes(), segments), false);
}

Rounds scatter_allgather_rounds(const Problem& problem) {
  const Count block = part_of(problem.bytes(), problem.ranks);
  Rounds rounds = scatter_rounds(problem.ranks, 1, block);
  if (problem.ranks > 1) rounds.push_back(ring_rounds(problem.ranks - 1, block, false));
  return rounds;
}

constexpr std::array broadcast_stages{
    GroupStage{Operation::broadcast, across, "binomial_low_bit_first"},
    GroupStage{Operation::broadcast, inside, "binomial_low_bit_first"}};

std::vector<Algorithm> broadcast_algorithms() {
  return {
      {.operation = Operation::broadcast,
       .name = "linear",
       .source = "the root sends to everybody",
       .make = rooted<broadcast::linear>,
       .rounds = [](const Problem& p,
                    const std::string&) { return burst_rounds(p, p.ranks - 1, 1); }},
      {.operation = Operation::broadcast,
       .name = "binomial_low_bit_first",
       .source = "Karlsson 2012, 5.4",
       .make = [](const Problem& p, const std::string&) -> Maker {
         return [root = p.root](Team team) {
           return broadcast::binomial_low_bit_first(team, root, RootPlacement::rotate);
         };
       },
       .rounds = [](const Problem& p, const std::string&) { return broadcast_tree(p); }},
      {.operation = Operation::broadcast,
       .name = "binomial_low_bit_first_xor",
       .source = "Karlsson 2012, 5.4, with aligned subtrees for any root",
       .suits = exclusive_or_suits,
       .make = [](const Problem& p, const std::string&) -> Maker {
         return [root = p.root](Team team) {
           return broadcast::binomial_low_bit_first(team, root, RootPlacement::exclusive_or);
         };
       },
       .rounds = [](const Problem& p, const std::string&) { return broadcast_tree(p); }},
      {.operation = Operation::broadcast,
       .name = "binomial_high_bit_first",
       .source = "Open MPI's binomial tree",
       .make = [](const Problem& p, const std::string&) -> Maker {
         return [root = p.root](Team team) {
           return broadcast::binomial_high_bit_first(team, root, RootPlacement::rotate);
         };
       },
       .rounds =
           [](const Problem& p, const std::string&) {
             Rounds rounds = broadcast_tree(p);
             std::ranges::reverse(rounds);
             return rounds;
           }},
      {.operation = Operation::broadcast,
       .name = "k_nomial",
       .tuning = "fan-out",
       .source = "Viertel 2007, 5.2.4",
       .tunings = fan_out_tunings,
       .make = [](const Problem& p, const std::string& tuning) -> Maker {
         return [root = p.root, k = positive_number(tuning)](Team team) {
           return broadcast::k_nomial(team, root, k + 1);
         };
       },
       .rounds =
           [](const Problem& p, const std::string& tuning) {
             return tree_rounds(p.ranks, positive_number(tuning), p.bytes());
           }},
      {.operation = Operation::broadcast,
       .name = "k_ary",
       .tuning = "fan-out",
       .source = "a tree in which each rank has k children",
       .tunings = fan_out_tunings,
       .make = [](const Problem& p, const std::string& tuning) -> Maker {
         return [root = p.root, k = positive_number(tuning)](Team team) {
           return broadcast::k_ary(team, root, k);
         };
       },
       .rounds = k_ary_rounds},
      {.operation = Operation::broadcast,
       .name = "chain",
       .tuning = "segments",
       .source = "Karlsson 2012, 5.3",
       .tunings = segment_tunings,
       .make = rooted_with_number<broadcast::chain>,
       .rounds = chain_rounds},
      {.operation = Operation::broadcast,
       .name = "scatter_allgather",
       .source = "van de Geijn 1994",
       .make = [](const Problem& p, const std::string&) -> Maker {
         return [root = p.root](Team team) { return broadcast::scatter_allgather(team, root); };
       },
       .rounds = [](const Problem& p, const std::string&) { return scatter_allgather_rounds(p); }},
      {.operation = Operation::broadcast,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "trees between groups, then in each",
       .stages = broadcast_stages,
       .suits = suits_groups,
       .tunings = group_tunings,
       .make = rooted_in_groups<broadcast_stages, hierarchical::broadcast>,
       .rounds = rounds_in_groups<broadcast_stages>},
  };
}

}  // namespace

std::span<const Algorithm> broadcast_list() {
  static const std::vector<Algorithm> algorithms = broadcast_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
