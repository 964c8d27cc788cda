// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/reduce.hpp>

#include "clairvoyant.hpp"
#include "factors.hpp"
#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

Rounds butterfly_rounds(const Problem& problem) {
  const int core = power_of_two_below(problem.ranks);
  Rounds rounds;
  if (core < problem.ranks)
    rounds.push_back({.bytes = problem.bytes(), .span = 2, .combined = problem.bytes()});
  append(rounds, near_halving_rounds(core, problem.bytes(), true));
  append(rounds, reversed(near_halving_rounds(core, problem.bytes(), false), false));
  return rounds;
}

Rounds ring_reduce_rounds(const Problem& problem) {
  if (problem.ranks == 1) return {};
  const Count block = part_of(problem.bytes(), problem.ranks);
  Rounds rounds{ring_rounds(problem.ranks - 1, block, true)};
  append(rounds, gather_rounds(problem.ranks, 1, block));
  return rounds;
}

Rounds radix_rounds(const Problem& problem, const std::string& tuning) {
  Rounds rounds = factor_rounds(problem, tuning);
  const Count slice = rounds.back().bytes;
  append(rounds, gather_rounds(problem.ranks, 1, slice));
  return rounds;
}

Rounds pipelined_reduce_rounds(const Problem& problem, const std::string& tuning) {
  const int segments = positive_number(tuning);
  const int longest = std::max(problem.root.rank, problem.ranks - 1 - problem.root.rank);
  return pipeline_rounds(longest, segments, part_of(problem.bytes(), segments), true);
}

constexpr std::array reduce_stages{GroupStage{Operation::reduce, inside, "binomial"},
                                   GroupStage{Operation::reduce, across, "binomial"}};

std::vector<Algorithm> reduce_algorithms() {
  return {
      {.operation = Operation::reduce,
       .name = "binomial",
       .source = "Marendic 2016, appendix A",
       .make = rooted<reduce::binomial>,
       .rounds = [](const Problem& p,
                    const std::string&) { return tree_rounds_up(p.ranks, 1, p.bytes(), true); }},
      {.operation = Operation::reduce,
       .name = "n_way_binomial",
       .tuning = "fan-out",
       .source = "Viertel 2007, 5.2.4, reversed",
       .tunings = fan_out_tunings,
       .make = rooted_with_number<reduce::n_way_binomial>,
       .rounds =
           [](const Problem& p, const std::string& tuning) {
             return tree_rounds_up(p.ranks, positive_number(tuning), p.bytes(), true);
           }},
      {.operation = Operation::reduce,
       .name = "butterfly",
       .source = "Marendic 2016, appendix A",
       .make = rooted<reduce::butterfly>,
       .rounds = [](const Problem& p, const std::string&) { return butterfly_rounds(p); }},
      {.operation = Operation::reduce,
       .name = "ring",
       .source = "Marendic 2016, appendix A",
       .any_operator = false,
       .make = rooted<reduce::ring>,
       .rounds = [](const Problem& p, const std::string&) { return ring_reduce_rounds(p); }},
      {.operation = Operation::reduce,
       .name = "radix",
       .tuning = "factors",
       .source = "Marendic 2016, appendix A",
       .suits = has_small_factors,
       .tunings = factor_tunings,
       .make = [](const Problem& p, const std::string& tuning) -> Maker {
         return [root = p.root, factors = factors_of(tuning)](Team team) {
           return reduce::radix(team, root, factors);
         };
       },
       .rounds = radix_rounds},
      {.operation = Operation::reduce,
       .name = "pipeline",
       .tuning = "segments",
       .source = "Marendic 2016, with a chain on each side of the root",
       .tunings = segment_tunings,
       .make = rooted_with_number<reduce::pipeline>,
       .rounds = pipelined_reduce_rounds},
      {.operation = Operation::reduce,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "trees in each group, then between groups",
       .stages = reduce_stages,
       .suits = suits_groups,
       .tunings = group_tunings,
       .make = rooted_in_groups<reduce_stages, hierarchical::reduce>,
       .rounds = rounds_in_groups<reduce_stages>},
      {.operation = Operation::reduce,
       .name = "clairvoyant",
       .tuning = "segments",
       .source = "Marendic 2016, repaired; for ranks that arrive at different times",
       .any_operator = false,
       .tunings = clairvoyant_tunings,
       .make = clairvoyant_together,
       .make_for = clairvoyant_for,
       .rounds = clairvoyant_rounds},
      {.operation = Operation::reduce,
       .name = "clairvoyant_ordered",
       .tuning = "segments",
       .source = "the same between neighbours",
       .tunings = clairvoyant_tunings,
       .make = clairvoyant_ordered_together,
       .make_for = clairvoyant_ordered_for,
       .rounds = clairvoyant_rounds},
  };
}

}  // namespace

std::span<const Algorithm> reduce_list() {
  static const std::vector<Algorithm> algorithms = reduce_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
