// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/alltoall.hpp>

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
  };
}

}  // namespace

std::span<const Algorithm> alltoall_list() {
  static const std::vector<Algorithm> algorithms = alltoall_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
