// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

rt::Communicator world() {
  return rt::Communicator::duplicate(MPI_COMM_WORLD);
}

std::vector<int> dims_for(int ranks, int dimensions) {
  return mapping::choose_process_grid(
      {.ranks = ranks,
       .extents = std::vector<long long>(static_cast<std::size_t>(dimensions), 64)});
}

/// Runs `body` for 1 … 3 dimensions, all periodicities, all strategies and several machines.
template <class Body>
void for_each_cart(Body&& body) {
  const auto parent = world();
  rt::ProgressEngine engine;
  for (const char* spec : {"", "node:4 core:2", "node:3 core:3"}) {
    const auto topology = mapping::discover(parent, spec);
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      for (const bool around : {false, true}) {
        for (const auto strategy :
             {mapping::Strategy::identity, mapping::Strategy::tile, mapping::Strategy::automatic}) {
          const CartOptions options{
              .dims = dims_for(parent.size(), dimensions),
              .periodic = std::vector<bool>(static_cast<std::size_t>(dimensions), around),
              .strategy = strategy};
          body(CartComm(parent, engine, options, topology));
        }
      }
    }
  }
}

/// What every rank of `comm` has, in order of rank.
std::vector<int> gather(const rt::Communicator& comm, std::vector<int> mine) {
  std::vector<int> all(mine.size() * static_cast<std::size_t>(comm.size()));
  MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_INT, all.data(),
                static_cast<int>(mine.size()), MPI_INT, comm.handle());
  return all;
}

// A node may have too little room, or nothing that its ranks can share; one rank may be the only
// one to see it.
TEST(CartComm, GoesOnWithoutMemoryToShare) {
  const auto parent = world();
  rt::ProgressEngine engine;
  const bool is_last = parent.rank().value == parent.size() - 1;
  const std::optional<std::size_t> little =
      is_last ? std::optional{std::size_t{1} << 20} : std::nullopt;
  CartOptions options{.dims = {parent.size()},
                      .arena = rt::Arena(parent, {.folders = {}, .room = little})};
  {
    const CartComm cart(parent, engine, options);
    EXPECT_EQ(cart.all().allreduce(1, Operator::sum), parent.size());
    EXPECT_EQ(cart.all().backends().scheduled(), std::vector{BackendId::p2p});
  }
  options.settings.backend = BackendId::shared;
  try {
    const CartComm cart(parent, engine, options);
    ADD_FAILURE() << "there was memory";
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
  }
  options.arena = rt::Arena(parent, {.ways = {}, .folders = {}});
  options.settings.backend = BackendId::automatic;
  const CartComm cart(parent, engine, options);
  EXPECT_EQ(cart.all().allreduce(1, Operator::sum), parent.size());
}

TEST(CartComm, SharesMemoryOfTheRunsArena) {
  const auto parent = world();
  rt::ProgressEngine engine;
  const rt::Arena arena(parent);
  for (int again = 0; again < 3; ++again) {
    const CartComm cart(parent, engine,
                        {.dims = {parent.size()},
                         .settings = {.backend = BackendId::shared, .shared = {.memory = 1}},
                         .arena = arena});
    EXPECT_EQ(cart.all().allreduce(again, Operator::sum), again * parent.size());
  }
}

TEST(CartComm, RanksFollowCoordinatesWithXFastest) {
  for_each_cart([](const CartComm& cart) {
    const auto here = cart.coordinates();
    const auto dims = cart.dims();
    int expected = 0;
    for (std::size_t axis = dims.size(); axis-- > 0;) expected = expected * dims[axis] + here[axis];
    EXPECT_EQ(cart.rank().value, expected);
    EXPECT_EQ(cart.coordinates_of(cart.rank()), std::vector<int>(here.begin(), here.end()));
    for (int rank = 0; rank < cart.size(); ++rank) {
      EXPECT_EQ(cart.shape().rank_of(cart.coordinates_of(rt::Rank{rank})), rank);
    }
  });
}

TEST(CartComm, AxisCommunicatorsAreLines) {
  for_each_cart([](const CartComm& cart) {
    const std::vector<int> here(cart.coordinates().begin(), cart.coordinates().end());
    for (int axis = 0; axis < cart.dimensions(); ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const auto& line = cart.axis(axis);
      ASSERT_EQ(line.size(), cart.dims()[a]);
      EXPECT_EQ(line.rank().value, here[a]);
      const auto all = gather(line, here);
      for (int other = 0; other < line.size(); ++other) {
        for (std::size_t b = 0; b < here.size(); ++b) {
          const int theirs = all[static_cast<std::size_t>(other) * here.size() + b];
          EXPECT_EQ(theirs, b == a ? other : here[b]);
        }
      }
    }
  });
}

TEST(CartComm, NeighboursAreMutualAndMatchMpi) {
  for_each_cart([](const CartComm& cart) {
    for (int axis = 0; axis < cart.dimensions(); ++axis) {
      int low = 0;
      int high = 0;
      MPI_Cart_shift(cart.communicator().handle(), cart.dimensions() - 1 - axis, 1, &low, &high);
      const auto below = cart.neighbour(axis, -1);
      const auto above = cart.neighbour(axis, +1);
      EXPECT_EQ(below ? below->value : MPI_PROC_NULL, low);
      EXPECT_EQ(above ? above->value : MPI_PROC_NULL, high);
      if (cart.periodic(axis)) {
        EXPECT_TRUE(below && above);
        if (cart.dims()[static_cast<std::size_t>(axis)] == 1) {
          EXPECT_EQ(*below, cart.rank());
          EXPECT_EQ(*above, cart.rank());
        }
        if (cart.dims()[static_cast<std::size_t>(axis)] == 2) {
          EXPECT_EQ(*below, *above);
          EXPECT_NE(*below, cart.rank());
        }
      }
    }
  });
}

TEST(CartComm, DiagonalNeighboursAreReached) {
  for_each_cart([](const CartComm& cart) {
    const auto d = static_cast<std::size_t>(cart.dimensions());
    std::vector<int> offsets(d, 1);
    if (d > 1) offsets[1] = -1;
    const auto there = cart.neighbour(offsets);
    bool inside = true;
    std::vector<int> expected(d);
    for (std::size_t axis = 0; axis < d; ++axis) {
      const int extent = cart.dims()[axis];
      const int x = cart.coordinates()[axis] + offsets[axis];
      inside = inside && (cart.periodic(static_cast<int>(axis)) || (x >= 0 && x < extent));
      expected[axis] = (x + extent) % extent;
    }
    ASSERT_EQ(there.has_value(), inside);
    if (inside) {
      EXPECT_EQ(cart.coordinates_of(*there), expected);
    }
    EXPECT_EQ(cart.neighbour(std::vector<int>(d, 0)), cart.rank());
  });
}

TEST(CartComm, KnowsWhoIsOffNode) {
  for_each_cart([](const CartComm& cart) {
    const auto nodes = gather(cart.communicator(), {cart.topology().here.node});
    for (int rank = 0; rank < cart.size(); ++rank) {
      EXPECT_EQ(cart.is_off_node(rt::Rank{rank}),
                nodes[static_cast<std::size_t>(rank)] != cart.topology().here.node);
    }
  });
}

TEST(CartComm, CarriesMessagesBetweenNeighbours) {
  for_each_cart([](const CartComm& cart) {
    for (int axis = 0; axis < cart.dimensions(); ++axis) {
      const auto below = cart.neighbour(axis, -1);
      const auto above = cart.neighbour(axis, +1);
      const std::array<int, 1> mine{cart.coordinates()[static_cast<std::size_t>(axis)]};
      std::array<int, 1> theirs{-1};
      rt::Message receive;
      rt::Message send;
      const rt::Tag tag{axis};
      if (below) receive = rt::ireceive(cart.communicator(), std::span<int>(theirs), *below, tag);
      if (above) send = rt::isend(cart.communicator(), std::span<const int>(mine), *above, tag);
      send.wait();
      receive.wait();
      if (below) {
        EXPECT_EQ(theirs[0], cart.coordinates_of(*below)[static_cast<std::size_t>(axis)]);
      }
    }
  });
}

TEST(CartComm, DescribesItselfAlikeOnAllRanks) {
  for_each_cart([](const CartComm& cart) {
    std::string text;
    for (const auto& [key, value] : cart.description()) {
      EXPECT_FALSE(value.empty()) << key;
      text += key + value;
    }
    const auto hash = static_cast<int>(std::hash<std::string>{}(text)&0xffffU);
    EXPECT_EQ(cart.allreduce(hash, Operator::minimum), cart.allreduce(hash, Operator::maximum));
  });
}

TEST(CartComm, TellsTheEngineWhetherCoresAreShared) {
  const auto parent = world();
  rt::ProgressEngine engine;
  const CartComm cart(parent, engine, {.dims = {parent.size()}});
  EXPECT_EQ(engine.oversubscribed(), cart.topology().oversubscribed);
}

TEST(CartComm, RefusesWhatCannotBe) {
  const auto parent = world();
  rt::ProgressEngine engine;
  const int ranks = parent.size();
  EXPECT_THROW(CartComm(parent, engine, {.dims = {ranks, 2}}), rt::Error);
  EXPECT_THROW(CartComm(parent, engine, {.dims = {}}), rt::Error);
  EXPECT_THROW(CartComm(parent, engine, {.dims = {ranks}, .periodic = {true, true}}), rt::Error);
  EXPECT_THROW(
      CartComm(parent, engine, {.dims = {ranks}, .settings = {.backend = known_backend("gossip")}}),
      rt::Error);
  const CartComm cart(parent, engine, {.dims = {ranks}});
  EXPECT_THROW((void)cart.axis(1), rt::Error);
  EXPECT_THROW((void)cart.neighbour(-1, 1), rt::Error);
  EXPECT_THROW((void)cart.neighbour(std::vector{1, 1}), rt::Error);
  EXPECT_THROW((void)cart.coordinates_of(rt::Rank{ranks}), rt::Error);
}

}  // namespace
}  // namespace cartwright::comm
