// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <functional>
#include <random>
#include <string>

#include "imagined_machine.hpp"
#include "world.hpp"

namespace cartwright::mapping {
namespace {

using testing::world;

/// All shapes with this many ranks in one to three dimensions, all periodicities.
std::vector<GridShape> all_shapes(int ranks) {
  std::vector<GridShape> shapes;
  const auto add = [&](const std::vector<int>& dims) {
    for (unsigned bits = 0; bits < (1U << dims.size()); ++bits) {
      std::vector<bool> periodic;
      for (std::size_t axis = 0; axis < dims.size(); ++axis)
        periodic.push_back((bits >> axis & 1U) != 0);
      shapes.push_back({dims, periodic});
    }
  };
  add({ranks});
  for (int a = 1; a <= ranks; ++a) {
    if (ranks % a != 0) continue;
    add({a, ranks / a});
    for (int b = 1; b <= ranks / a; ++b) {
      if (ranks / a % b == 0) add({a, b, ranks / a / b});
    }
  }
  return shapes;
}

void check(const rt::Communicator& comm, const Topology& topology, const GridShape& shape,
           Strategy strategy) {
  const Remapped remapped = remap(comm, topology, shape, strategy);
  const rt::Communicator& cart = remapped.communicator;
  const Mapping& mapping = remapped.mapping;
  ASSERT_EQ(cart.size(), comm.size());
  EXPECT_EQ(cart.rank().value, shape.rank_of(mapping.coordinates));
  std::vector<int> coordinates(shape.dims.size());
  MPI_Cart_coords(cart.handle(), cart.rank().value, shape.dimensions(), coordinates.data());
  EXPECT_EQ(std::vector<int>(coordinates.rbegin(), coordinates.rend()), mapping.coordinates);

  // The counts, by looking at the whole grid.
  const auto nodes_after = rt::collected(cart, topology.here.node);
  const auto nodes_before = rt::collected(comm, topology.here.node);
  EXPECT_EQ(mapping.off_node_faces_after, testing::count_off_node_faces(shape, nodes_after));
  EXPECT_EQ(mapping.off_node_faces_before, testing::count_off_node_faces(shape, nodes_before));
  EXPECT_EQ(mapping.faces, shape.faces());
  for (int other = 0; other < cart.size(); ++other) {
    const bool same_node = nodes_after[static_cast<std::size_t>(other)] == topology.here.node;
    EXPECT_EQ(remapped.placement.is_on_my_node(topology, shape.coordinates_of(other)), same_node);
  }
  if (strategy == Strategy::automatic) {
    const int most = testing::most_faces_of_a_node(shape, nodes_after);
    const int most_before = testing::most_faces_of_a_node(shape, nodes_before);
    EXPECT_LE(most, most_before);
    EXPECT_LE(mapping.off_node_faces_after, mapping.off_node_faces_before);
    if (most == most_before && mapping.off_node_faces_after == mapping.off_node_faces_before) {
      EXPECT_TRUE(remapped.placement.is_identity());
    }
  }
  if (strategy == Strategy::identity) {
    EXPECT_EQ(cart.rank(), comm.rank());
  }
}

TEST(Remap, CountsAndPlacesOnEveryShape) {
  const auto comm = world();
  for (const char* spec : {"", "node:8 core:1", "node:4 core:2", "node:3 core:3", "node:2 core:4",
                           "node:2 core:5", "node:2 core:6"}) {
    const Topology topology = discover(comm, spec);
    for (const auto& shape : all_shapes(comm.size())) {
      if (comm.size() >= 6 && shape.dimensions() == 3 && !shape.periodic[0]) continue;  // for time
      for (const Strategy strategy : {Strategy::identity, Strategy::tile, Strategy::automatic}) {
        check(comm, topology, shape, strategy);
      }
    }
  }
}

TEST(Remap, WorksWhereRanksAreScattered) {
  const auto comm = world();
  // Ranks dealt out to nodes at random, unequal in number: nobody's ranks are consecutive.
  std::mt19937 random(7);
  for (int trial = 0; trial < 8; ++trial) {
    std::vector<int> node_of(static_cast<std::size_t>(comm.size()));
    for (int& node : node_of) node = static_cast<int>(random() % 3U);
    const auto machine = testing::imagine(node_of);
    const auto& mine = machine[static_cast<std::size_t>(comm.rank().value)];
    for (const auto& dims : {std::vector{comm.size(), 1}, std::vector{1, comm.size()}}) {
      check(comm, mine, testing::bounded(dims), Strategy::tile);
      check(comm, mine, testing::periodic(dims), Strategy::automatic);
    }
    const auto dims = choose_process_grid({.ranks = comm.size(), .extents = {64, 64}});
    check(comm, mine, testing::bounded(dims), Strategy::automatic);
  }
}

// One rank searches, and all know what it found: what a search on one process finds.
TEST(Remap, SearchesOnceForAll) {
  const auto comm = world();
  if (comm.size() < 3) GTEST_SKIP() << "needs nodes of which one has two ranks";
  const auto machine = testing::imagine(testing::fill({2, comm.size() - 2}));
  const auto& mine = machine[static_cast<std::size_t>(comm.rank().value)];
  for (const auto& shape : all_shapes(comm.size())) {
    const auto remapped = remap(comm, mine, shape);
    const auto chosen = choose_mapping({shape, {2, comm.size() - 2}});
    const auto nodes = rt::collected(remapped.communicator, mine.here.node);
    EXPECT_EQ(testing::most_faces_of_a_node(shape, nodes), chosen.busiest) << to_text(shape.dims);
    EXPECT_EQ(remapped.mapping.off_node_faces_after, chosen.cost) << to_text(shape.dims);
    const std::hash<std::string> hash;
    const auto what = static_cast<int>(hash(remapped.mapping.explanation) & 0xFFFFFFU);
    const auto said = rt::collected(comm, what);
    EXPECT_EQ(said, std::vector<int>(said.size(), said.front()));
  }
}

TEST(Remap, TilesFourNodesOfTwo) {
  const auto comm = world();
  if (comm.size() != 8) GTEST_SKIP() << "needs 8 ranks";
  const Topology topology = discover(comm, "node:4 core:2");
  const auto in_place = remap(comm, topology, testing::bounded({4, 2}), Strategy::automatic);
  EXPECT_EQ(in_place.mapping.off_node_faces_after, 6);
  const Topology two = discover(comm, "node:2 core:4");
  const auto moved = remap(comm, two, testing::bounded({2, 4}), Strategy::automatic);
  EXPECT_EQ(moved.mapping.off_node_faces_after, 2);
  // Weights: across y a face costs much, so that the nodes split the grid across x.
  const auto weighted =
      remap(comm, two, testing::bounded({2, 4}), Strategy::automatic, {1.0, 10.0});
  EXPECT_EQ(weighted.mapping.off_node_faces_after, 4);
  EXPECT_FALSE(weighted.placement.is_identity());
}

TEST(Remap, RefusesOtherShapesOnAllRanks) {
  const auto comm = world();
  const Topology topology = discover(comm);
  for (const auto& dims : std::vector<std::vector<int>>{
           {comm.size() + 1}, {}, {0, comm.size()}, {-1, -comm.size()}, {1 << 30, 1 << 30, 16}}) {
    try {
      (void)remap(comm, topology, testing::bounded(dims));
      ADD_FAILURE() << "accepted";
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
    }
  }
}

TEST(CartCreate, IsADropIn) {
  const auto comm = world();
  int dims[2] = {0, 0};
  MPI_Dims_create(comm.size(), 2, dims);
  const auto cart =
      cart_create(comm, {dims[0], dims[1]}, {true, false}, {.topology = "node:4 core:2"});
  ASSERT_TRUE(cart);
  int got_dims[2];
  int periods[2];
  int coordinates[2];
  MPI_Cart_get(cart.handle(), 2, got_dims, periods, coordinates);
  EXPECT_EQ(got_dims[0], dims[0]);
  EXPECT_EQ(got_dims[1], dims[1]);
  EXPECT_EQ(periods[0], 1);
  EXPECT_EQ(periods[1], 0);
}

TEST(CartCreate, LeavesOutRanksThatItDoesNotNeed) {
  const auto comm = world();
  const int used = (comm.size() + 1) / 2;
  const auto cart = cart_create(comm, {used}, {false});
  EXPECT_EQ(static_cast<bool>(cart), comm.rank().value < used);
  if (cart) {
    EXPECT_EQ(cart.size(), used);
  }
  EXPECT_THROW((void)cart_create(comm, {comm.size() + 1}, {false}), rt::Error);
  EXPECT_THROW((void)cart_create(comm, {}, {}), rt::Error);
  EXPECT_THROW((void)cart_create(comm, {-1, -1}, {false, false}), rt::Error);
}

TEST(Strategy, HasNames) {
  EXPECT_EQ(strategy_from_name("auto"), Strategy::automatic);
  EXPECT_EQ(strategy_from_name("identity"), Strategy::identity);
  EXPECT_EQ(strategy_from_name("tile"), Strategy::tile);
  EXPECT_THROW((void)strategy_from_name("best"), rt::Error);
}

}  // namespace
}  // namespace cartwright::mapping
