// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/rt/error.hpp>
#include <string>

namespace cartwright::mapping {
namespace {

TEST(VirtualTopology, ReadsLevels) {
  const auto simple = VirtualTopology::parse("node:4 core:2");
  EXPECT_EQ(simple.nodes, 4);
  EXPECT_EQ(simple.cores_per_node(), 2);
  const auto deep = VirtualTopology::parse("  node:2, package:2 numa:1 l3:3 core:4 ");
  EXPECT_EQ(deep.cores_per_node(), 24);
  const Place place = deep.place(24 + 12 + 4 + 1);
  EXPECT_EQ(place.node, 1);
  EXPECT_EQ(place.slot_on_node, 17);
  EXPECT_EQ(place.package, 1);
  EXPECT_EQ(place.numa, 1);
  EXPECT_EQ(place.l3, 4);
  EXPECT_EQ(place.core, 17);
}

TEST(VirtualTopology, RefusesNonsense) {
  for (const char* spec :
       {"node", "core:2", "node:4", "node:0 core:2", "node:-1 core:2",
        "node:4 core:", "node:4 core:2x", "core:2 node:4", "node:4 node:4 core:2",
        "socket:2 core:2", "node:4 core:1e3", "node:4;core:2", "node:99999999999999999999 core:2",
        "node:2 core:1000001", "node:2 package:1000000 core:1000000",
        "node:1 package:1000000 numa:1000000 l3:1000000 core:1000000", ":", "node:4 core:2.5"}) {
    try {
      (void)VirtualTopology::parse(spec);
      ADD_FAILURE() << "accepted '" << spec << "'";
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
      EXPECT_NE(std::string(error.what()).find(spec), std::string::npos);
      EXPECT_FALSE(error.advice().empty());
    }
  }
}

TEST(VirtualTopology, FillsNodesInOrderOfRanks) {
  const auto imagined = VirtualTopology::parse("node:1000000 core:4");
  for (int rank = 0; rank < 6; ++rank) {
    Topology topology;
    topology.ranks = 6;
    lay_over(imagined, rank, topology);
    EXPECT_EQ(topology.nodes, 2);  // those without ranks don't count
    EXPECT_EQ(topology.here.node, rank / 4);
    EXPECT_EQ(topology.slot(), rank);
    EXPECT_EQ(topology.node_size, rank < 4 ? 4 : 2);
    EXPECT_EQ(topology.smallest_node, 2);
    EXPECT_EQ(topology.largest_node, 4);
    for (int other = 0; other < 6; ++other)
      EXPECT_EQ(topology.is_on_my_node(other), rank / 4 == other / 4);
  }
}

TEST(VirtualTopology, NeedsACoreForEachRank) {
  Topology topology;
  topology.ranks = 9;
  EXPECT_THROW(lay_over(VirtualTopology::parse("node:4 core:2"), 0, topology), rt::Error);
}

}  // namespace
}  // namespace cartwright::mapping
