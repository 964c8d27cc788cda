// SPDX-License-Identifier: Apache-2.0
// Broadcasts along lines of a grid whose ranks share nodes with those of other lines.
#include <gtest/gtest.h>

#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/plan/selection/crowd.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <string>
#include <vector>

namespace cartwright::plan {
namespace {

Problem broadcast_of(Count bytes, const Hierarchy& nodes) {
  return {.operation = Operation::broadcast,
          .ranks = nodes.ranks(),
          .elements = bytes,
          .element_size = 1,
          .nodes = &nodes};
}

Machine one_link(int cores) {
  Machine machine = typical_machine(cores);
  machine.levels.front().leaving = {{12e9}};
  return machine;
}

TEST(Crowd, NothingIsChosenThatIsSlowerThanTheUsual) {
  const std::vector<Hierarchy> lines{Hierarchy::even(16, std::vector<int>{4}),
                                     Hierarchy::named({{0, 0, 1, 2, 2, 0, 1, 1, 3}}),
                                     Hierarchy::named({{2, 2, 2, 2, 2, 2, 2, 0, 1, 1, 1, 1}})};
  const Crowd crowd{.node_ranks = 48};
  for (const Hierarchy& line : lines)
    for (const Count bytes : {8, 1024, 65536, 4194304})
      for (const char* name : {"linear", "k_ary(2)", "hierarchical(nodes: linear | linear)"}) {
        const Problem problem = broadcast_of(bytes, line);
        const Machine machine = one_link(48);
        const Choice usual = parse_choice(Operation::broadcast, name);
        const Choice chosen = quickest_in_crowd(problem, machine, crowd, usual);
        EXPECT_LE(*time_in_crowd(problem, machine, crowd, chosen),
                  *time_in_crowd(problem, machine, crowd, usual))
            << chosen.name() << " for " << name << ", " << bytes << " B";
      }
}

TEST(Crowd, LeadersOfTwoLinesDontSendToAllOfTheirNodes) {
  const Hierarchy line = Hierarchy::even(64, std::vector<int>{16});
  const Problem problem = broadcast_of(8, line);
  const Choice usual = parse_choice(Operation::broadcast, "hierarchical(nodes: linear | linear)");
  const std::string chosen =
      quickest_in_crowd(problem, one_link(64), {.node_ranks = 64}, usual).name();
  EXPECT_TRUE(chosen.starts_with("hierarchical(nodes: ")) << chosen;
  EXPECT_FALSE(chosen.ends_with("| linear)")) << chosen;
}

// With more lines on a node its link is what counts: each node is entered once.
TEST(Crowd, LongOnesCrossOnceWhereManyLinesShareALink) {
  const Hierarchy line = Hierarchy::named({{0, 1, 0, 1, 0, 1, 0, 1}});
  const Problem problem = broadcast_of(4 << 20, line);
  const Machine machine = one_link(64);
  const Choice usual = parse_choice(Operation::broadcast, "binomial_high_bit_first");
  const Choice chosen = quickest_in_crowd(problem, machine, {.node_ranks = 64}, usual);
  EXPECT_EQ(reach_of(problem, machine, chosen)->messages, 1) << chosen.name();
}

TEST(Crowd, TheUsualStaysWhereNodesArentShared) {
  const Choice usual = parse_choice(Operation::broadcast, "linear");
  const Hierarchy alone = Hierarchy::even(8, std::vector<int>{1});
  const Hierarchy together = Hierarchy::even(8, std::vector<int>{8});
  for (const Hierarchy* nodes : {&alone, &together})
    EXPECT_EQ(quickest_in_crowd(broadcast_of(4096, *nodes), one_link(8), {}, usual), usual);
  Problem unknown = broadcast_of(4096, alone);
  unknown.nodes = nullptr;
  EXPECT_EQ(quickest_in_crowd(unknown, one_link(8), {}, usual), usual);
}

}  // namespace
}  // namespace cartwright::plan
