// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/alltoall.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>

#include "groups.hpp"
#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

Rounds bruck_alltoall_rounds(const Problem& problem, const std::string&) {
  Rounds rounds;
  const Count all = problem.bytes() * problem.ranks;
  if (problem.ranks > 1)
    rounds.push_back(
        {.sends = 0, .receives = 0, .copies = Count{2} * problem.ranks, .copied = 2 * all});
  for (Count distance = 1; distance < problem.ranks; distance *= 2)
    rounds.push_back(
        {.bytes = all / 2, .distance = distance, .copies = problem.ranks, .copied = all});
  return rounds;
}

Rounds rounds_by_nodes(const Problem& problem, const std::string& tuning) {
  const GroupTuning groups({}, problem, tuning);
  const int nodes = groups.hierarchy().members(0);
  const int here = groups.hierarchy().largest_member(0);
  const int duties = (nodes + here - 2) / here;  // other nodes for which a rank is the agent
  const Count block = problem.bytes();
  const Count of_node = here * block;
  Rounds rounds;
  if (here > 1) {
    rounds.push_back(
        {.sends = here - 1, .receives = here - 1, .bytes = block, .distance = 1, .span = here});
    rounds.push_back({.sends = nodes - 1,
                      .receives = duties * (here - 1),
                      .bytes = of_node,
                      .distance = 1,
                      .span = here});
  }
  rounds.push_back(
      {.sends = duties, .receives = duties, .bytes = here * of_node, .distance = here});
  if (here > 1)
    rounds.push_back({.sends = duties * (here - 1),
                      .receives = nodes - 1,
                      .bytes = of_node,
                      .distance = 1,
                      .span = here,
                      .copies = Count{duties} * Count{here} * here,
                      .copied = duties * here * of_node});
  return rounds;
}

Maker by_nodes(const Problem& problem, const std::string& tuning) {
  return [groups = GroupTuning({}, problem, tuning)](Team team) {
    return hierarchical::alltoall(team, groups.hierarchy());
  };
}

// Inner groups make no difference.
Tunings outer_group_tunings(const Problem& problem, const Machine& machine) {
  Tunings tunings = group_tunings(problem, machine);
  std::erase_if(tunings,
                [](const std::string& tuning) { return tuning.find(',') != std::string::npos; });
  return tunings;
}

std::vector<Algorithm> alltoall_algorithms() {
  return {
      {.operation = Operation::alltoall,
       .name = "pairwise",
       .source = "Thakur 2005",
       .make = plain<alltoall::pairwise>,
       .rounds = [](const Problem& p, const std::string&) -> Rounds {
         if (p.ranks == 1) return {};
         return {{.times = p.ranks - 1, .bytes = p.bytes(), .distance = p.ranks / 2 + 1}};
       }},
      {.operation = Operation::alltoall,
       .name = "linear",
       .source = "everything at once",
       .make = plain<alltoall::linear>,
       .rounds = [](const Problem& p,
                    const std::string&) { return burst_rounds(p, p.ranks - 1, p.ranks - 1); }},
      {.operation = Operation::alltoall,
       .name = "bruck",
       .source = "Bruck 1997",
       .make = plain<alltoall::bruck>,
       .rounds = bruck_alltoall_rounds},
      {.operation = Operation::alltoall,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "one message between any two groups, by agents who take turns",
       .suits = [](const Problem& problem) { return problem.ranks > 2 && problem.even_blocks; },
       .tunings = outer_group_tunings,
       .make = by_nodes,
       .rounds = rounds_by_nodes},
  };
}

}  // namespace

std::span<const Algorithm> alltoall_list() {
  static const std::vector<Algorithm> algorithms = alltoall_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
