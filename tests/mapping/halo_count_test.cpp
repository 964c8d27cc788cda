// SPDX-License-Identifier: Apache-2.0
// Messages of real halo exchanges on virtual machines, counted by level: as many as predicted.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cmath>

#include "imagined_machine.hpp"
#include "world.hpp"

namespace cartwright::mapping {
namespace {

using testing::world;

/// Messages sent: to another node; on the node to another cache; within a cache.
using Counts = std::array<long long, 3>;

/// Two numbers that say where a rank sits.
using Seat = std::array<int, 2>;  // node, cache (of the whole machine)

std::size_t level_of(const Seat& a, const Seat& b) {
  return a[0] != b[0] ? 0 : a[1] != b[1] ? 1 : 2;
}

/// One halo exchange over the axes of `cart`, each message with the seat of its sender: what is
/// received is what is counted.
Counts exchange_and_count(const rt::Communicator& cart, int dimensions, const Seat& here) {
  Counts counts{};
  for (int axis = 0; axis < dimensions; ++axis) {
    for (const int step : {1, -1}) {
      int from = MPI_PROC_NULL;
      int to = MPI_PROC_NULL;
      rt::mpi_check(MPI_Cart_shift(cart.handle(), axis, step, &from, &to), "MPI_Cart_shift");
      Seat sender{-1, -1};
      const int tag = 2 * axis + (step > 0 ? 0 : 1);
      rt::mpi_check(MPI_Sendrecv(here.data(), 2, MPI_INT, to, tag, sender.data(), 2, MPI_INT, from,
                                 tag, cart.handle(), MPI_STATUS_IGNORE),
                    "MPI_Sendrecv");
      const bool is_itself = from == cart.rank().value;  // a ring of one rank sends nothing
      if (from == MPI_PROC_NULL || is_itself) continue;
      EXPECT_GE(sender[0], 0);
      ++counts[level_of(sender, here)];
    }
  }
  Counts all{};
  rt::mpi_check(MPI_Allreduce(counts.data(), all.data(), static_cast<int>(counts.size()),
                              MPI_LONG_LONG, MPI_SUM, cart.handle()),
                "MPI_Allreduce");
  return all;
}

/// What the judgement of a map says: each face is two messages.
Counts predicted(const GridShape& shape, const std::vector<int>& nodes,
                 const std::vector<int>& caches) {
  const auto faces = [&](const std::vector<int>& units) {
    int count = 0;
    for (const int unit : units) count = std::max(count, unit + 1);
    return judge({shape, units, count}).total();
  };
  const long long between_nodes = 2 * faces(nodes);
  const long long between_caches = 2 * faces(caches) - between_nodes;
  return {between_nodes, between_caches, 2 * shape.faces() - between_nodes - between_caches};
}

/// The map before anything runs: ranks fill nodes (and caches) in order.
struct Expected {
  std::vector<int> nodes, caches;
};

Expected identity_map(const VirtualTopology& machine, int ranks) {
  Expected expected;
  for (int rank = 0; rank < ranks; ++rank) {
    expected.nodes.push_back(static_cast<int>(rank / machine.cores_per_node()));
    expected.caches.push_back(rank / machine.cores);
  }
  return expected;
}

std::vector<GridShape> shapes(int ranks) {
  std::vector<std::vector<int>> grids;
  if (ranks == 8) grids = {{4, 2}, {2, 4}, {2, 2, 2}, {4, 2, 1}};
  if (ranks == 12) grids = {{4, 3}, {2, 6}, {3, 2, 2}, {2, 2, 3}};
  if (ranks == 16) grids = {{4, 4}, {8, 2}, {4, 2, 2}, {2, 2, 4}};
  std::vector<GridShape> all;
  for (const auto& dims : grids) {
    all.push_back(testing::bounded(dims));
    all.push_back(testing::periodic(dims));
  }
  if (!grids.empty()) all.push_back({grids[1], {true, false}});
  return all;
}

std::vector<const char*> machines(int ranks) {
  if (ranks == 8) return {"node:4 core:2", "node:2 core:4", "node:2 l3:2 core:2", "node:3 core:3"};
  if (ranks == 12) return {"node:3 core:4", "node:2 l3:2 core:3", "node:3 core:5", "node:4 core:3"};
  if (ranks == 16) return {"node:4 core:4", "node:2 l3:2 core:4", "node:3 core:6", "node:8 core:2"};
  return {};
}

Seat seat_of(const VirtualTopology& machine, const Topology& topology) {
  const Place here = machine.place(topology.rank);
  EXPECT_EQ(here.node, topology.here.node);
  return {here.node, topology.rank / machine.cores};
}

/// Faces between nodes as `cartwright map` would tell them: nothing of it comes from a run.
long long predicted_faces(const GridShape& shape, const Topology& topology, Strategy strategy,
                          const std::vector<int>& sizes) {
  if (strategy == Strategy::identity) return judge(fill_in_order(shape, sizes)).total();
  if (strategy == Strategy::automatic) return judge(choose_mapping({shape, sizes}).map).total();
  const auto tile = choose_tile(shape, topology.largest_node);
  return tile ? std::llround(tile_faces(shape, *tile)) : -1;
}

void check(const rt::Communicator& comm, const VirtualTopology& machine, const Topology& topology,
           const GridShape& shape, Strategy strategy) {
  SCOPED_TRACE(to_text(shape.dims) + " on " + topology.describe());
  const Seat here = seat_of(machine, topology);
  const Remapped remapped = remap(comm, topology, shape, strategy);
  const auto counted = exchange_and_count(remapped.communicator, shape.dimensions(), here);
  EXPECT_EQ(counted[0], 2 * remapped.mapping.off_node_faces_after);

  // By level, from the map that was made (which is known beforehand if ranks stay).
  const auto seats = rt::collected(remapped.communicator, here);
  if (!comm.is_root()) return;
  Expected expected = identity_map(machine, comm.size());
  std::vector<int> sizes;
  for (const int node : expected.nodes) {
    sizes.resize(static_cast<std::size_t>(node) + 1);
    ++sizes.back();
  }
  if (strategy != Strategy::identity) {
    for (std::size_t position = 0; position < seats.size(); ++position) {
      expected.nodes[position] = seats[position][0];
      expected.caches[position] = seats[position][1];
    }
  }
  EXPECT_EQ(counted, predicted(shape, expected.nodes, expected.caches));
  if (strategy == Strategy::tile && !topology.is_uniform()) return;  // there are none
  EXPECT_EQ(counted[0], 2 * predicted_faces(shape, topology, strategy, sizes));
}

TEST(HaloCount, EqualsThePrediction) {
  const auto comm = world();
  for (const char* spec : machines(comm.size())) {
    const auto machine = VirtualTopology::parse(spec);
    const Topology topology = discover(comm, spec);
    for (const GridShape& shape : shapes(comm.size())) {
      for (const Strategy strategy : {Strategy::identity, Strategy::tile, Strategy::automatic})
        check(comm, machine, topology, shape, strategy);
    }
  }
}

// Predictions that need no communicator at all: closed forms and the lower bound.
TEST(HaloCount, OfTilesMeetsTheClosedForm) {
  const auto comm = world();
  if (comm.size() != 16) GTEST_SKIP() << "needs 16 ranks";
  const auto machine = VirtualTopology::parse("node:4 core:4");
  const auto shape = testing::bounded({4, 4});
  const Topology topology = discover(comm, "node:4 core:4");
  const Seat here = seat_of(machine, topology);
  const auto before = remap(comm, topology, shape, Strategy::identity);
  const auto after = remap(comm, topology, shape, Strategy::tile);
  EXPECT_EQ(exchange_and_count(before.communicator, 2, here)[0], 2 * 12);
  EXPECT_EQ(exchange_and_count(after.communicator, 2, here)[0], 2 * 8);
  const std::vector<int> nodes(4, 4);
  EXPECT_EQ(faces_lower_bound(shape, nodes), 8);
}

// The drop-in for MPI_Cart_create, with dims in MPI's order.
TEST(HaloCount, OfCartCreate) {
  const auto comm = world();
  if (comm.size() != 12) GTEST_SKIP() << "needs 12 ranks";
  const char* spec = "node:3 core:4";
  const auto machine = VirtualTopology::parse(spec);
  const Seat here = seat_of(machine, discover(comm, spec));
  const auto count = [&](Strategy strategy, const std::vector<bool>& periodic) {
    const auto cart = cart_create(comm, {6, 2}, periodic, {.strategy = strategy, .topology = spec});
    return exchange_and_count(cart, 2, here);
  };
  // Nodes are 2 x 2 blocks from the start: two cuts of two faces, and two more around the ring.
  EXPECT_EQ(count(Strategy::identity, {false, false})[0], 2 * 4);
  EXPECT_EQ(count(Strategy::automatic, {false, false})[0], 2 * 4);
  EXPECT_EQ(count(Strategy::automatic, {true, false})[0], 2 * 6);
}

}  // namespace
}  // namespace cartwright::mapping
