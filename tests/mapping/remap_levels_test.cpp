// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/mapping/placement/slot_survey.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <numeric>
#include <validation/core_ordering.hpp>

#include "imagined_machine.hpp"
#include "world.hpp"

namespace cartwright::mapping {
namespace {

using testing::world;

TEST(Reordered, GivesOldRanksInTheOrderOfTheVector) {
  const auto comm = world();
  for (const auto& order : {validation::random_order(comm.size(), 3),
                            validation::random_order(comm.size(), 4, comm.size() - 1)}) {
    const auto shuffled = validation::reordered(comm, order);
    EXPECT_EQ(rt::collected(shuffled, comm.rank().value), order);
  }
  EXPECT_THROW(
      (void)validation::reordered(comm, std::vector<int>(static_cast<std::size_t>(comm.size()), 1)),
      rt::Error);
}

TEST(SlotSurvey, KnowsNodesAndCaches) {
  const auto comm = world();
  const Topology topology = discover(comm, "node:4 l3:2 core:2");
  const SlotSurvey survey = survey_slots(comm, topology);
  EXPECT_EQ(std::accumulate(survey.node_sizes.begin(), survey.node_sizes.end(), 0), comm.size());
  EXPECT_EQ(survey.node_sizes.size(), static_cast<std::size_t>(topology.nodes));
  EXPECT_EQ(survey.node_sizes.front(), std::min(4, comm.size()));
  if (comm.size() > 2) {
    EXPECT_EQ(survey.l3_sizes.front(), 2);
    EXPECT_EQ(std::accumulate(survey.l3_sizes.begin(), survey.l3_sizes.end(), 0), comm.size());
  } else {
    EXPECT_TRUE(survey.l3_sizes.empty());
  }
}

TEST(Remap, PutsCachesSideBySide) {
  const auto comm = world();
  if (comm.size() != 8) GTEST_SKIP() << "needs 8 ranks";
  const Topology topology = discover(comm, "node:2 l3:2 core:2");
  const GridShape shape = testing::bounded({2, 4});
  const auto weighted = remap(comm, topology, shape, Strategy::automatic, {1.0, 10.0});
  const int cache = topology.here.node * 2 + topology.here.l3;
  const auto caches = rt::collected(weighted.communicator, cache);
  EXPECT_EQ(testing::count_off_node_faces(shape,
                                          rt::collected(weighted.communicator, topology.here.node)),
            weighted.mapping.off_node_faces_after);
  EXPECT_EQ(caches[0], caches[2]);  // along y, where faces are dear
  EXPECT_EQ(caches[4], caches[6]);
  EXPECT_NE(caches[0], caches[4]);
}

// On one node nothing leaves it, but caches count.
TEST(Remap, PutsCachesOfOneNodeSideBySide) {
  const auto comm = world();
  if (comm.size() != 8) GTEST_SKIP() << "needs 8 ranks";
  const Topology topology = discover(comm, "node:1 l3:2 core:4");
  const GridShape shape = testing::bounded({4, 2});
  const auto across = remap(comm, topology, shape);  // in order each cache has a row
  EXPECT_NE(across.mapping.explanation.find("faces between caches: 4 -> 2"), std::string::npos)
      << across.mapping.explanation;
  EXPECT_EQ(
      testing::count_off_node_faces(shape, rt::collected(across.communicator, topology.here.l3)),
      2);
  EXPECT_EQ(across.mapping.off_node_faces_after, 0);
  for (const auto strategy : {Strategy::identity, Strategy::automatic}) {
    const auto along = remap(comm, topology, testing::bounded({2, 4}), strategy);
    EXPECT_TRUE(along.placement.is_identity());  // each has a block of 2 x 2 anyway
  }
  EXPECT_TRUE(remap(comm, topology, shape, Strategy::identity).placement.is_identity());
  EXPECT_TRUE(remap(comm, discover(comm, "node:1 core:8"), shape).placement.is_identity());
}

// Two nodes that are best left as they are, with two caches each; faces across y are dear.
TEST(Remap, PutsCachesSideBySideWhereNodesStay) {
  const auto comm = world();
  if (comm.size() != 8) GTEST_SKIP() << "needs 8 ranks";
  const Topology topology = discover(comm, "node:2 l3:2 core:2");
  const auto weighted =
      remap(comm, topology, testing::bounded({2, 2, 2}), Strategy::automatic, {1.0, 10.0, 1.0});
  EXPECT_EQ(weighted.mapping.off_node_faces_after, weighted.mapping.off_node_faces_before);
  const auto nodes = rt::collected(weighted.communicator, topology.here.node);
  EXPECT_EQ(nodes, (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
  const auto caches = rt::collected(weighted.communicator, topology.here.l3);
  for (const std::size_t first : {0U, 4U}) {
    EXPECT_EQ(caches[first], caches[first + 2]);
    EXPECT_EQ(caches[first + 1], caches[first + 3]);
    EXPECT_NE(caches[first], caches[first + 1]);
  }
}

TEST(CartCreate, TakesWeightsInTheOrderOfDims) {
  const auto comm = world();
  if (comm.size() != 8) GTEST_SKIP() << "needs 8 ranks";
  const Topology topology = discover(comm, "node:2 core:4");
  // Four rows of two; faces between rows are dear, so that each node gets a column.
  const auto cart = cart_create(comm, {4, 2}, {false, false},
                                {.topology = "node:2 core:4", .weights = {10.0, 1.0}});
  const auto nodes = rt::collected(cart, topology.here.node);
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_EQ(nodes[2 * row], nodes[0]);
    EXPECT_EQ(nodes[2 * row + 1], nodes[1]);
  }
  EXPECT_NE(nodes[0], nodes[1]);
  for (const auto& weights : std::vector<std::vector<double>>{{1.0}, {1.0, -1.0}}) {
    EXPECT_THROW((void)cart_create(comm, {4, 2}, {false, false}, {.weights = weights}), rt::Error);
  }
}

TEST(Remap, SearchesWhereNoTileFits) {
  const auto comm = world();
  if (comm.size() != 8) GTEST_SKIP() << "needs 8 ranks";
  const auto machine = testing::imagine({0, 0, 0, 1, 1, 1, 1, 1});
  const auto& mine = machine[static_cast<std::size_t>(comm.rank().value)];
  const auto remapped = remap(comm, mine, testing::bounded({4, 2}), Strategy::automatic);
  EXPECT_EQ(remapped.mapping.off_node_faces_after, 3);  // 5 as ranks come
}

}  // namespace
}  // namespace cartwright::mapping
