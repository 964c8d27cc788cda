// SPDX-License-Identifier: Apache-2.0
// Groups from times alone: ranks were shuffled over a known machine.
#include <gtest/gtest.h>

#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <map>
#include <numeric>

#include "imagined_probe.hpp"

namespace cartwright::mapping {
namespace {

using testing::ImaginedProbe;
using testing::known_machine;

std::vector<int> shuffled_cores(int count, unsigned seed) {
  std::vector<int> cores(static_cast<std::size_t>(count));
  std::iota(cores.begin(), cores.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(cores.begin(), cores.end(), random);
  return cores;
}

/// Do both put the same ranks together?
bool same_partition(const std::vector<int>& a, const std::vector<int>& b) {
  std::map<int, int> forth;
  std::map<int, int> back;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (forth.try_emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.try_emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return a.size() == b.size();
}

std::vector<int> units(const std::vector<int>& cores, int cores_in_unit) {
  std::vector<int> unit;
  for (const int core : cores) unit.push_back(core / cores_in_unit);
  return unit;
}

TEST(NestedGroups, RecoverNodesAndSocketsOfShuffledRanks) {
  struct Case {
    int nodes, sockets, cores;
  };
  for (const auto& [nodes, sockets, cores] : {Case{2, 2, 4}, {4, 2, 4}, {3, 2, 6}, {2, 4, 4}}) {
    for (const double noise : {0.0, 0.02, 0.05}) {
      for (unsigned seed = 1; seed <= 3; ++seed) {
        const auto placed = shuffled_cores(nodes * sockets * cores, seed);
        ImaginedProbe probe(known_machine(nodes, sockets, cores), placed, noise, seed);
        const auto levels = nested_groups(probe.costs(16384));
        ASSERT_EQ(levels.size(), 2U) << nodes << 'x' << sockets << 'x' << cores << ' ' << noise;
        EXPECT_TRUE(same_partition(levels[0], units(placed, sockets * cores)));
        EXPECT_TRUE(same_partition(levels[1], units(placed, cores)));
      }
    }
  }
}

TEST(NestedGroups, SurviveInterruptedMeasurements) {
  const auto placed = shuffled_cores(16, 5);
  ImaginedProbe probe(known_machine(2, 2, 4), placed, 0.02, 7);
  const CostMatrix quiet = probe.costs(16384);
  std::vector<double> costs;
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) costs.push_back(a == b ? 0.0 : quiet(a, b));
  costs[3] = 1.0;  // a second each: a rank was stopped
  costs[5 * 16 + 9] = 0.7;
  const auto levels = nested_groups(CostMatrix(costs));
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_TRUE(same_partition(levels[0], units(placed, 8)));
  EXPECT_TRUE(same_partition(levels[1], units(placed, 4)));
}

TEST(NestedGroups, FindNoneWhereAllCoresAreAlike) {
  ImaginedProbe probe(known_machine(1, 1, 12), shuffled_cores(12, 1), 0.05, 3);
  EXPECT_TRUE(nested_groups(probe.costs(16384)).empty());
  EXPECT_TRUE(nested_groups(CostMatrix({0.0, 1.0, 1.0, 0.0})).empty());
  EXPECT_TRUE(nested_groups(CostMatrix(std::vector<double>{0.0})).empty());
}

/// What the system would say of shuffled ranks, if it knew.
ProbedPlaces places_of(const std::vector<int>& cores, int in_node, int in_socket) {
  ProbedPlaces probed;
  for (std::size_t rank = 0; rank < cores.size(); ++rank) {
    probed.ranks.push_back(static_cast<int>(rank));
    probed.places.push_back({.node = cores[rank] / in_node,
                             .slot_on_node = cores[rank] % in_node,
                             .package = cores[rank] % in_node / in_socket});
  }
  return probed;
}

Topology topology_of(int ranks, int in_node) {
  Topology topology;
  topology.ranks = ranks;
  topology.nodes = ranks / in_node;
  topology.largest_node = in_node;
  return topology;
}

TEST(Hierarchy, NamesMeasuredGroupsAfterWhatLiesThere) {
  const auto placed = shuffled_cores(32, 2);
  ImaginedProbe probe(known_machine(4, 2, 4), placed, 0.02, 3);
  const auto hierarchy =
      hierarchy_from(probe.costs(16384), places_of(placed, 8, 4), topology_of(32, 8));
  ASSERT_EQ(hierarchy.levels.size(), 3U);
  EXPECT_EQ(hierarchy.levels[0].name, "node");
  EXPECT_EQ(hierarchy.levels[1].name, "socket");
  EXPECT_EQ(hierarchy.levels[2].name, "core");
  EXPECT_EQ(hierarchy.sizes, (std::vector<int>{0, 2, 4}));
  EXPECT_TRUE(hierarchy.notes.empty());
  for (std::size_t a = 0; a < 32; ++a)
    for (std::size_t b = 0; b < 32; ++b)
      EXPECT_EQ(parting_level(hierarchy, a, b),
                plan::parting_level(known_machine(4, 2, 4), placed[a], placed[b]));
}

TEST(Hierarchy, BelievesTimesRatherThanNames) {
  const auto placed = shuffled_cores(16, 4);
  ImaginedProbe probe(known_machine(2, 2, 4), placed, 0.02, 3);
  std::vector<int> wrong(16);
  std::iota(wrong.begin(), wrong.end(), 0);
  const auto hierarchy =
      hierarchy_from(probe.costs(16384), places_of(wrong, 8, 4), topology_of(16, 8));
  ASSERT_EQ(hierarchy.levels.size(), 3U);
  EXPECT_EQ(hierarchy.levels[0].name, "group");
  EXPECT_EQ(hierarchy.levels[1].name, "group2");
  EXPECT_TRUE(same_partition(hierarchy.levels[0].unit_of, units(placed, 8)));
  ASSERT_EQ(hierarchy.notes.size(), 1U);
}

TEST(Hierarchy, TakesNodesFromTheSystemWhereTimesCannotShowThem) {
  std::vector<int> cores(8);
  std::iota(cores.begin(), cores.end(), 0);
  ImaginedProbe probe(known_machine(1, 1, 8), cores, 0.0, 1);
  auto places = places_of(cores, 4, 4);
  places.is_virtual = true;
  auto hierarchy = hierarchy_from(probe.costs(16384), places, topology_of(8, 4));
  ASSERT_EQ(hierarchy.levels.size(), 2U);
  EXPECT_EQ(hierarchy.levels[0].name, "node");
  EXPECT_EQ(hierarchy.sizes, (std::vector<int>{0, 4}));
  EXPECT_NE(hierarchy.notes.front().find("imagined"), std::string::npos);
  places.is_virtual = false;
  hierarchy = hierarchy_from(probe.costs(16384), places, topology_of(8, 4));
  ASSERT_EQ(hierarchy.levels.size(), 2U);
  EXPECT_NE(hierarchy.notes.front().find("don't show"), std::string::npos);
  places.oversubscribed = true;
  hierarchy = hierarchy_from(probe.costs(16384), places, topology_of(8, 4));
  EXPECT_NE(hierarchy.notes.front().find("share cores"), std::string::npos);
}

// Of nodes with 32 cores, 8 each were probed
TEST(Hierarchy, CountsTheCoresThatWereNotProbed) {
  const auto placed = shuffled_cores(16, 6);
  ImaginedProbe probe(known_machine(2, 2, 4), placed, 0.01, 1);
  auto hierarchy =
      hierarchy_from(probe.costs(16384), places_of(placed, 8, 4), topology_of(320, 32));
  EXPECT_EQ(hierarchy.sizes, (std::vector<int>{0, 2, 16}));
  EXPECT_NE(hierarchy.notes.back().find("16 of 320"), std::string::npos);
  // One node of two sockets.
  ImaginedProbe sockets(known_machine(1, 2, 8), placed, 0.01, 1);
  hierarchy = hierarchy_from(sockets.costs(16384), places_of(placed, 16, 8), topology_of(32, 32));
  EXPECT_EQ(hierarchy.levels.front().name, "socket");
  EXPECT_EQ(hierarchy.sizes, (std::vector<int>{0, 16}));
}

TEST(Hierarchy, DropsLevelsThatSplitNothing) {
  std::vector<int> cores{0, 1, 2, 3};
  ImaginedProbe probe(known_machine(4, 1, 1), cores, 0.0, 1);
  const auto hierarchy =
      hierarchy_from(probe.costs(16384), places_of(cores, 1, 1), topology_of(4, 1));
  ASSERT_EQ(hierarchy.levels.size(), 1U);
  EXPECT_EQ(hierarchy.levels[0].name, "node");
}

}  // namespace
}  // namespace cartwright::mapping
