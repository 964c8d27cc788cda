// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/reduce_scatter.hpp>

#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

Rounds recursive_halving_rounds(const Problem& problem) {
  const int core = power_of_two_below(problem.ranks);
  const Count all = problem.bytes() * problem.ranks;
  Rounds rounds;
  if (core < problem.ranks) rounds.push_back({.bytes = all, .span = 2, .combined = all});
  append(rounds, far_halving_rounds(core, all, true));
  if (core < problem.ranks) rounds.push_back({.bytes = problem.bytes(), .span = 2});
  return rounds;
}

constexpr std::array reduce_scatter_stages{
    GroupStage{Operation::reduce, inside, "binomial"},
    GroupStage{Operation::reduce_scatter, across, "pairwise"},
    GroupStage{Operation::scatter, inside, "recursive_splitting"}};

std::vector<Algorithm> reduce_scatter_algorithms() {
  return {
      {.operation = Operation::reduce_scatter,
       .name = "recursive_halving",
       .source = "Thakur 2005",
       .any_operator = false,
       .make = plain<reduce_scatter::recursive_halving>,
       .rounds = [](const Problem& p, const std::string&) { return recursive_halving_rounds(p); }},
      {.operation = Operation::reduce_scatter,
       .name = "ring",
       .source = "Marendic 2016, appendix A",
       .any_operator = false,
       .make = plain<reduce_scatter::ring>,
       .rounds = [](const Problem& p, const std::string&) -> Rounds {
         if (p.ranks == 1) return {};
         return {ring_rounds(p.ranks - 1, p.bytes(), true)};
       }},
      {.operation = Operation::reduce_scatter,
       .name = "pairwise",
       .source = "Thakur 2005",
       .make = plain<reduce_scatter::pairwise>,
       .rounds = [](const Problem& p, const std::string&) -> Rounds {
         if (p.ranks == 1) return {};
         return {{.times = p.ranks - 1,
                  .bytes = p.bytes(),
                  .distance = p.ranks / 2 + 1,
                  .combined = p.bytes()}};
       }},
      {.operation = Operation::reduce_scatter,
       .name = "direct",
       .source = "everything at once",
       .make = plain<reduce_scatter::direct>,
       .rounds =
           [](const Problem& p, const std::string&) {
             Rounds rounds = burst_rounds(p, p.ranks - 1, p.ranks - 1);
             for (RoundShape& round : rounds) round.combined = (p.ranks - 1) * p.bytes();
             return rounds;
           }},
      {.operation = Operation::reduce_scatter,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "reduce in groups, reduce-scatter between them, scatter in groups",
       .stages = reduce_scatter_stages,
       .suits = suits_groups_of_blocks,
       .tunings = group_tunings,
       .make = in_groups<reduce_scatter_stages, hierarchical::reduce_scatter>,
       .rounds = rounds_in_groups<reduce_scatter_stages>},
  };
}

}  // namespace

std::span<const Algorithm> reduce_scatter_list() {
  static const std::vector<Algorithm> algorithms = reduce_scatter_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
