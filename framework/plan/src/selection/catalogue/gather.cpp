// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/plan/algorithms/gather.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>

#include "groups.hpp"
#include "lists.hpp"
#include "splits.hpp"

namespace cartwright::plan::catalogue {

namespace {

constexpr std::array gather_stages{GroupStage{Operation::gather, inside, "recursive_splitting"},
                                   GroupStage{Operation::gather, across, "recursive_splitting"}};

std::vector<Algorithm> gather_algorithms() {
  return {
      {.operation = Operation::gather,
       .name = "linear",
       .source = "Viertel 2007, 5.2.1",
       .make = rooted<gather::linear>,
       .rounds = [](const Problem& p,
                    const std::string&) { return burst_rounds(p, 1, p.ranks - 1); }},
      {.operation = Operation::gather,
       .name = "recursive_splitting",
       .source = "Viertel 2007, 5.2.2",
       .make = rooted<gather::recursive_splitting>,
       .rounds = [](const Problem& p,
                    const std::string&) { return gather_rounds(p.ranks, 1, p.bytes()); }},
      {.operation = Operation::gather,
       .name = "n_way_binomial",
       .tuning = "fan-out",
       .source = "Viertel 2007, 5.2.4, repaired",
       .tunings = fan_out_tunings,
       .make = rooted_with_number<gather::n_way_binomial>,
       .rounds =
           [](const Problem& p, const std::string& tuning) {
             return gather_rounds(p.ranks, positive_number(tuning), p.bytes());
           }},
      {.operation = Operation::gather,
       .name = "optimal",
       .tuning = "times of a message",
       .source = "Viertel 2007, 5.2.3",
       .suits = splits_are_cheap,
       .tunings = split_tunings,
       .make = rooted_with_splits<gather::optimal>,
       .rounds = split_rounds},
      {.operation = Operation::gather,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "trees in each group, then between groups",
       .stages = gather_stages,
       .suits = suits_groups_of_blocks,
       .tunings = group_tunings,
       .make = rooted_in_groups<gather_stages, hierarchical::gather>,
       .rounds = rounds_in_groups<gather_stages>},
  };
}

}  // namespace

std::span<const Algorithm> gather_list() {
  static const std::vector<Algorithm> algorithms = gather_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
