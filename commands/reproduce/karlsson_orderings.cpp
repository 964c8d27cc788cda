// SPDX-License-Identifier: Apache-2.0
// Section 4.5: orderings of the ranks of one node.
#include <fmt/format.h>

#include <cartwright/mapping/probe/core_groups.hpp>
#include <cartwright/mapping/probe/core_ordering.hpp>
#include <cartwright/mapping/probe/cost_matrix.hpp>
#include <vector>

#include "karlsson.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

std::string text_of(const std::vector<int>& order) {
  return fmt::format("{}", fmt::join(order, " "));
}

// Every pair inside of a group costs the same, every pair across more.
mapping::CostMatrix two_levels(const mapping::CoreGroups& groups) {
  std::vector<double> costs;
  for (const int from : groups.group_of)
    for (const int to : groups.group_of) costs.push_back(from == to ? 0.0 : 1.0);
  return mapping::CostMatrix(std::move(costs));
}

}  // namespace

Table orderings() {
  Table table("Section 4.5", "groups and orderings of eight ranks on RA, from Table 4.1");
  const mapping::CostMatrix measured(table_4_1());
  const auto groups = mapping::find_groups(measured);
  const auto levels = two_levels(groups);
  std::vector<std::string> members;
  for (const auto& group : groups.members()) members.push_back(text_of(group));
  table.add("section 4.1: groups", "0 2 3 5 | 1 4 6 7")
      .text(fmt::format("{}", fmt::join(members, " | ")));
  constexpr auto quantised =
      "the printed order follows from two costs only, one inside of the groups and one between "
      "them; "
      "the next row";
  table.add("Fastest Edge First, measured costs", "0 1 3 4 2 6 5 7")
      .text(text_of(mapping::fastest_edge_first(measured)))
      .because(quantised);
  table.add("Fastest Edge First, two costs", "0 1 3 4 2 6 5 7")
      .text(text_of(mapping::fastest_edge_first(levels)));
  table.add("Channel Aware Ordering, 2 channels, measured costs", "0 3 1 6 2 5 4 7")
      .text(text_of(mapping::channel_aware_order(measured, groups, 2)))
      .because(quantised);
  table.add("Channel Aware Ordering, 2 channels, two costs", "0 3 1 6 2 5 4 7")
      .text(text_of(mapping::channel_aware_order(levels, groups, 2)));
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
