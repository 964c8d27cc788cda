// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/scatter.hpp>

#include "groups.hpp"
#include "lists.hpp"
#include "splits.hpp"

namespace cartwright::plan::catalogue {

namespace {

constexpr std::array scatter_stages{GroupStage{Operation::scatter, across, "recursive_splitting"},
                                    GroupStage{Operation::scatter, inside, "recursive_splitting"}};

std::vector<Algorithm> scatter_algorithms() {
  return {
      {.operation = Operation::scatter,
       .name = "linear",
       .source = "Viertel 2007, 5.2.1",
       .make = rooted<scatter::linear>,
       .rounds = [](const Problem& p,
                    const std::string&) { return burst_rounds(p, p.ranks - 1, 1); }},
      {.operation = Operation::scatter,
       .name = "recursive_splitting",
       .source = "Viertel 2007, 5.2.2",
       .make = rooted<scatter::recursive_splitting>,
       .rounds = [](const Problem& p,
                    const std::string&) { return scatter_rounds(p.ranks, 1, p.bytes()); }},
      {.operation = Operation::scatter,
       .name = "n_way_binomial",
       .tuning = "fan-out",
       .source = "Viertel 2007, 5.2.4, repaired",
       .tunings = fan_out_tunings,
       .make = rooted_with_number<scatter::n_way_binomial>,
       .rounds =
           [](const Problem& p, const std::string& tuning) {
             return scatter_rounds(p.ranks, positive_number(tuning), p.bytes());
           }},
      {.operation = Operation::scatter,
       .name = "optimal",
       .tuning = "times of a message",
       .source = "Viertel 2007, 5.2.3",
       .suits = splits_are_cheap,
       .tunings = split_tunings,
       .make = rooted_with_splits<scatter::optimal>,
       .rounds = split_rounds},
      {.operation = Operation::scatter,
       .name = "hierarchical",
       .tuning = "groups",
       .source = "trees between groups, then in each",
       .stages = scatter_stages,
       .suits = suits_groups_of_blocks,
       .tunings = group_tunings,
       .make = rooted_in_groups<scatter_stages, hierarchical::scatter>,
       .rounds = rounds_in_groups<scatter_stages>},
  };
}

}  // namespace

std::span<const Algorithm> scatter_list() {
  static const std::vector<Algorithm> algorithms = scatter_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
