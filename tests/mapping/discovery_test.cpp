// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <numeric>

#include "world.hpp"

namespace cartwright::mapping {
namespace {

using testing::world;

TEST(Discover, FindsOneRealNode) {
  const auto comm = world();
  const Topology topology = discover(comm);
  EXPECT_EQ(topology.nodes, 1);
  EXPECT_EQ(topology.machine_nodes, 1);
  EXPECT_EQ(topology.ranks, comm.size());
  EXPECT_EQ(topology.rank, comm.rank().value);
  EXPECT_EQ(topology.node_size, comm.size());
  EXPECT_EQ(topology.first_slot, 0);
  EXPECT_FALSE(topology.is_virtual);
  EXPECT_GE(topology.cores_on_node, 1);
  EXPECT_EQ(topology.oversubscribed, comm.size() > topology.cores_on_node);
  EXPECT_EQ(topology.binding.ranks, comm.size());
  std::vector<int> all(static_cast<std::size_t>(comm.size()));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(topology.ranks_on_node, all);
}

TEST(Discover, GivesEachRankASlotOfItsOwn) {
  const auto comm = world();
  std::vector<int> slots = rt::collected(comm, discover(comm).slot());
  std::sort(slots.begin(), slots.end());
  for (int i = 0; i < comm.size(); ++i) EXPECT_EQ(slots[static_cast<std::size_t>(i)], i);
}

TEST(Discover, JudgesTheBindingFromTheGivenProcessors) {
  const auto comm = world();
  // All ranks say that they run on processor 0: with several ranks, all share it.
  const auto cpus = rt::cpu_set();
  ASSERT_FALSE(cpus.empty());
  const Topology topology = discover(comm, {}, {cpus.front(), cpus.front()});
  EXPECT_EQ(topology.binding.sharing_ranks, comm.size() > 1 ? comm.size() : 0);
  EXPECT_EQ(topology.binding.most_cores, 1);
  EXPECT_EQ(topology.cores_on_node, 1);
  EXPECT_EQ(topology.oversubscribed, comm.size() > 1);
  EXPECT_GE(topology.here.core, 0);
  EXPECT_EQ(topology.here.slot_on_node, comm.rank().value);
}

TEST(Discover, OrdersSlotsByCore) {
  const auto comm = world();
  const auto cpus = rt::cpu_set();
  const auto size = static_cast<std::size_t>(comm.size());
  if (cpus.size() < size) GTEST_SKIP() << "needs a core for each rank";
  // The last rank runs on the first core.
  const auto mine = size - 1 - static_cast<std::size_t>(comm.rank().value);
  const Topology topology = discover(comm, {}, {cpus[mine]});
  EXPECT_FALSE(topology.oversubscribed);
  if (topology.binding.sharing_ranks == 0) {
    EXPECT_EQ(topology.slot(), static_cast<int>(mine));
  }
}

TEST(Discover, SurvivesAnEmptyProcessorSet) {
  const auto comm = world();
  const Topology topology = discover(comm, {}, {});
  EXPECT_EQ(topology.here.core, -1);
  EXPECT_EQ(topology.binding.most_cores, 0);
  EXPECT_EQ(topology.slot(), comm.rank().value);
}

TEST(Discover, LaysAVirtualTopologyOver) {
  const auto comm = world();
  const Topology topology = discover(comm, "node:8 core:2");
  EXPECT_TRUE(topology.is_virtual);
  EXPECT_EQ(topology.machine_nodes, 1);
  EXPECT_EQ(topology.nodes, (comm.size() + 1) / 2);
  EXPECT_EQ(topology.here.node, comm.rank().value / 2);
  EXPECT_EQ(topology.slot(), comm.rank().value);
}

TEST(Discover, RefusesATopologyThatIsTooSmall) {
  const auto comm = world();
  if (comm.size() == 1) GTEST_SKIP() << "one core is enough for one rank";
  EXPECT_THROW((void)discover(comm, "node:1 core:1"), rt::Error);
  EXPECT_THROW((void)discover(comm, "nodes:4"), rt::Error);
}

}  // namespace
}  // namespace cartwright::mapping
