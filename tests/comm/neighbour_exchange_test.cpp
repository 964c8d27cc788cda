// SPDX-License-Identifier: Apache-2.0
// Messages of fixed lengths between neighbours, whoever these are, by every backend.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/plan/models/network.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace cartwright::comm {
namespace {

class NeighbourExchanges : public ::testing::TestWithParam<std::string> {
 protected:
  NeighbourExchanges() : world_(rt::Communicator::duplicate(MPI_COMM_WORLD)) {}

  void SetUp() override {
    if (GetParam() == "shared" && !rt::Arena(world_).available())
      GTEST_SKIP() << "there is no memory to share";
    cart_.emplace(
        world_, engine_,
        CartOptions{.dims = {world_.size()},
                    .settings = {.backend = known_backend(GetParam()), .is_resolved = true}});
  }
  [[nodiscard]] int me() const { return cart_->rank().value; }
  [[nodiscard]] NeighbourExchange make(const std::vector<NeighbourBytes>& neighbours) {
    return {*cart_,
            neighbours,
            number_++,
            trace_,
            {trace_.region("pack"), trace_.region("wait"), trace_.region("unpack")}};
  }

  rt::Communicator world_;
  rt::ProgressEngine engine_;
  rt::Trace trace_;
  std::optional<CartComm> cart_;
  int number_ = 0;
};

std::byte expected(int from, int to, int round, std::size_t at) {
  return static_cast<std::byte>(static_cast<std::size_t>(31 * from + 7 * to + 101 * round) +
                                at * 13 + at / 251);
}

void write(std::byte* memory, std::size_t bytes, int from, int to, int round) {
  for (std::size_t at = 0; at < bytes; ++at) memory[at] = expected(from, to, round, at);
}

[[nodiscard]] bool is_right(const std::byte* memory, std::size_t bytes, int from, int to,
                            int round) {
  for (std::size_t at = 0; at < bytes; ++at)
    if (memory[at] != expected(from, to, round, at)) return false;
  return true;
}

void begin(NeighbourExchange& exchange, const std::vector<NeighbourBytes>& neighbours, int me,
           int round) {
  exchange.begin([&](std::size_t n, std::byte* to) {
    write(to, neighbours[n].outgoing, me, neighbours[n].rank.value, round);
  });
}

void complete(NeighbourExchange& exchange, const std::vector<NeighbourBytes>& neighbours, int me,
              int round) {
  std::vector<int> taken(neighbours.size(), 0);
  exchange.complete([&](std::size_t n, const std::byte* from) {
    ++taken[n];
    EXPECT_TRUE(is_right(from, neighbours[n].incoming, neighbours[n].rank.value, me, round))
        << "from " << neighbours[n].rank.value << " to " << me << " in round " << round;
  });
  for (std::size_t n = 0; n < neighbours.size(); ++n)
    EXPECT_EQ(taken[n], neighbours[n].incoming > 0 ? 1 : 0);
}

/// Who sends how much to whom, the same on all ranks; some pairs say nothing, or only one way.
std::vector<NeighbourBytes> random_neighbours(int ranks, int me, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t sizes[] = {0, 0, 1, 8, 63, 64, 65, 4096, 70'001};
  const auto all = static_cast<std::size_t>(ranks);
  std::vector<std::vector<std::size_t>> bytes(all, std::vector<std::size_t>(all));
  for (auto& row : bytes)
    for (std::size_t& one : row) one = sizes[random() % std::size(sizes)];
  std::vector<NeighbourBytes> neighbours;
  const auto mine = static_cast<std::size_t>(me);
  for (std::size_t other = 0; other < all; ++other)
    if (other != mine && bytes[mine][other] + bytes[other][mine] > 0)
      neighbours.push_back(
          {rt::Rank{static_cast<int>(other)}, bytes[mine][other], bytes[other][mine]});
  std::shuffle(neighbours.begin(), neighbours.end(), random);
  return neighbours;
}

TEST_P(NeighbourExchanges, BringWhatWasPackedAmongAnyNeighbours) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const auto neighbours = random_neighbours(cart_->size(), me(), seed);
    NeighbourExchange exchange = make(neighbours);
    std::mt19937 random(seed * 100 + static_cast<unsigned>(me()));
    for (int round = 0; round < 25; ++round) {
      begin(exchange, neighbours, me(), round);
      EXPECT_TRUE(exchange.busy());
      if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      complete(exchange, neighbours, me(), round);
      EXPECT_FALSE(exchange.busy());
    }
  }
}

TEST_P(NeighbourExchanges, KeepApartWhenSeveralAreInFlight) {
  const auto first = random_neighbours(cart_->size(), me(), 77);
  const auto second = random_neighbours(cart_->size(), me(), 78);
  NeighbourExchange one = make(first);
  NeighbourExchange two = make(second);
  NeighbourExchange same = make(first);
  for (int round = 0; round < 20; ++round) {
    begin(one, first, me(), round);
    begin(two, second, me(), 1000 + round);
    begin(same, first, me(), 2000 + round);
    const bool in_order = (round + me()) % 2 == 0;  // ranks needn't agree
    if (in_order) complete(one, first, me(), round);
    complete(same, first, me(), 2000 + round);
    complete(two, second, me(), 1000 + round);
    if (!in_order) complete(one, first, me(), round);
  }
}

TEST_P(NeighbourExchanges, TestSaysWhenAllHasCome) {
  const auto neighbours = random_neighbours(cart_->size(), me(), 5);
  NeighbourExchange exchange = make(neighbours);
  begin(exchange, neighbours, me(), 3);
  rt::Patience patience(false);
  while (!exchange.test()) patience.pause();
  complete(exchange, neighbours, me(), 3);
}

// One rank speaks, another one listens: nothing comes back that would slow down the speaker.
TEST_P(NeighbourExchanges, GoOneWayWithoutOverwritingWhatNobodyHasRead) {
  const int ranks = cart_->size();
  std::vector<NeighbourBytes> neighbours;
  if (me() + 1 < ranks) neighbours.push_back({rt::Rank{me() + 1}, 3000, 0});
  if (me() > 0) neighbours.push_back({rt::Rank{me() - 1}, 0, 3000});
  NeighbourExchange exchange = make(neighbours);
  for (int round = 0; round < 60; ++round) {
    if (me() == ranks - 1 && round % 8 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    begin(exchange, neighbours, me(), round);
    complete(exchange, neighbours, me(), round);
  }
}

TEST_P(NeighbourExchanges, CarryMoreThanAPieceTells) {
  if (cart_->size() < 2) GTEST_SKIP() << "nobody to talk to";
  constexpr std::size_t bytes = (std::size_t{1} << 24) + 12'345;
  std::vector<NeighbourBytes> neighbours;
  if (me() < 2) neighbours.push_back({rt::Rank{1 - me()}, bytes, bytes});
  NeighbourExchange exchange = make(neighbours);
  for (int round = 0; round < 3; ++round) {
    begin(exchange, neighbours, me(), round);
    complete(exchange, neighbours, me(), round);
  }
}

TEST_P(NeighbourExchanges, NoticeThatANeighbourIsAhead) {
  if (cart_->size() < 2) GTEST_SKIP() << "nobody to talk to";
  std::vector<NeighbourBytes> neighbours;
  if (me() < 2) neighbours.push_back({rt::Rank{1 - me()}, 100, 100});
  NeighbourExchange exchange = make(neighbours);
  EXPECT_FALSE(exchange.is_behind());
  cart_->barrier();
  if (me() == 0) begin(exchange, neighbours, me(), 0);
  cart_->barrier();
  rt::Patience patience(false);
  while (me() == 1 && !exchange.is_behind()) patience.pause();
  if (me() == 1) begin(exchange, neighbours, me(), 0);
  EXPECT_FALSE(exchange.is_behind());
  complete(exchange, neighbours, me(), 0);
}

TEST_P(NeighbourExchanges, RefuseAnotherLength) {
  const bool tells_length = GetParam() == "shared" || GetParam() == "auto";
  const bool is_one_node = rt::Arena(world_).available() && rt::Arena(world_).nodes().count() == 1;
  if (cart_->size() < 2 || !tells_length || !is_one_node) GTEST_SKIP() << "messages of MPI's";
  std::vector<NeighbourBytes> neighbours;
  if (me() == 0) neighbours.push_back({rt::Rank{1}, 100, 0});
  if (me() == 1) neighbours.push_back({rt::Rank{0}, 0, 120});
  NeighbourExchange exchange = make(neighbours);
  exchange.begin([](std::size_t, std::byte* to) { std::memset(to, 0, 100); });
  if (me() == 1)
    EXPECT_THROW(exchange.complete([](std::size_t, const std::byte*) {}), rt::Error);
  else
    exchange.complete([](std::size_t, const std::byte*) {});
  exchange.abandon();
  cart_->barrier();
}

TEST_P(NeighbourExchanges, RefuseARankNamedTwiceOrNotThere) {
  const int next = (me() + 1) % cart_->size();
  EXPECT_THROW(make({{rt::Rank{next}, 8, 8}, {rt::Rank{next}, 8, 8}}), rt::Error);
  EXPECT_THROW(make({{rt::Rank{cart_->size()}, 8, 8}}), rt::Error);
  EXPECT_THROW(make({{rt::Rank{-1}, 8, 8}}), rt::Error);
}

TEST_P(NeighbourExchanges, CompareLengthsInCheckedMode) {
  if (cart_->size() < 3) GTEST_SKIP() << "one and the same rank is before and behind";
  cart_.emplace(
      world_, engine_,
      CartOptions{.dims = {world_.size()},
                  .settings = {
                      .backend = known_backend(GetParam()), .checked = true, .is_resolved = true}});
  const int p = cart_->size();
  const rt::Rank before{(me() + p - 1) % p}, behind{(me() + 1) % p};
  const std::vector<NeighbourBytes> right{{before, 0, 80}, {behind, 80, 0}};
  NeighbourExchange exchange = make(right);
  begin(exchange, right, me(), 0);
  complete(exchange, right, me(), 0);
  std::vector<NeighbourBytes> wrong = right;
  if (me() == 1) wrong[1].outgoing = 72;
  EXPECT_THROW(make(wrong), rt::Error);
}

TEST_P(NeighbourExchanges, CountWhatLeaves) {
  const auto neighbours = random_neighbours(cart_->size(), me(), 9);
  const NeighbourExchange exchange = make(neighbours);
  std::int64_t messages = 0, bytes = 0;
  for (const NeighbourBytes& one : neighbours) {
    messages += one.outgoing > 0 ? 1 : 0;
    bytes += static_cast<std::int64_t>(one.outgoing);
  }
  const Traffic& sent = exchange.traffic();
  EXPECT_EQ(sent.messages_on_node + sent.messages_off_node, messages);
  EXPECT_EQ(sent.bytes_on_node + sent.bytes_off_node, bytes);
}

INSTANTIATE_TEST_SUITE_P(By, NeighbourExchanges,
                         ::testing::Values("native", "p2p", "shared", "auto", "rma"),
                         [](const auto& named) { return named.param; });

TEST(PartedMessages, CarryTheSameBytesInOnePartOrTwo) {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  const int me = world.rank().value, ranks = world.size();
  const rt::Rank next{(me + 1) % ranks}, previous{(me + ranks - 1) % ranks};
  for (const std::size_t bytes : {1, 2, 4095, 70'001, 200'000})
    for (const int parts : {1, 2}) {
      std::vector<std::byte> out(bytes), in(bytes);
      PartedMessage sent = PartedMessage::sent(world, out, next, rt::Tag{5}, parts);
      PartedMessage come = PartedMessage::received(world, in, previous, rt::Tag{5}, parts);
      for (int round = 0; round < 3; ++round) {
        write(out.data(), bytes, me, next.value, round);
        come.start();
        sent.start();
        while (!come.test()) (void)sent.test();
        sent.wait({"a message in parts"});
        EXPECT_TRUE(is_right(in.data(), bytes, previous.value, me, round));
      }
    }
  EXPECT_FALSE(PartedMessage().is_valid());
}

TEST(PartedMessages, AreInTwoPartsWhereTheReceiverOfTheWholeIsAskedFirst) {
  constexpr std::size_t asked_from = 65'536;
  plan::Network network = plan::log_gp(20e-6, 5e-6, 5e-6, 5e-6, 1e-9);
  for (const std::size_t bytes : {1UL, 1000UL, asked_from, 100'000'000UL})
    EXPECT_EQ(parts_on(network, bytes), 1) << bytes;
  network.latency = plan::BySize({{asked_from - 1, 20e-6}, {asked_from, 80e-6}});
  for (const std::size_t bytes : {1UL, asked_from - 1, 2 * asked_from, 100'000'000UL})
    EXPECT_EQ(parts_on(network, bytes), 1) << bytes;
  for (const std::size_t bytes : {asked_from, 100'000UL, 2 * asked_from - 2})
    EXPECT_EQ(parts_on(network, bytes), 2) << bytes;
}

// Only a lower bound: how long it takes beyond that is a matter of the machine.
TEST(NeighbourLinks, DelayWhatLeavesAnImaginedNode) {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  if (world.size() < 2) GTEST_SKIP() << "nobody to talk to";
  if (rt::Arena(world).nodes().count() != 1) GTEST_SKIP() << "ranks are on several hosts";
  rt::ProgressEngine engine;
  Settings settings{.backend = BackendId::automatic, .is_resolved = true};
  settings.links.latency = std::chrono::duration<double>(5e-3);
  const CartComm cart(world, engine, {.dims = {world.size()}, .settings = settings},
                      mapping::discover(world, fmt::format("node:{} core:1", world.size())));
  rt::Trace trace;
  const rt::RegionId region = trace.region("exchange");
  const int me = cart.rank().value, ranks = cart.size();
  std::vector<NeighbourBytes> neighbours{{rt::Rank{(me + 1) % ranks}, 1000, 0},
                                         {rt::Rank{(me + ranks - 1) % ranks}, 0, 1000}};
  if (ranks == 2) neighbours = {{rt::Rank{1 - me}, 1000, 1000}};
  NeighbourExchange exchange(cart, neighbours, 0, trace, {region, region, region});
  for (int round = 0; round < 3; ++round) {
    cart.barrier();
    const double start = MPI_Wtime();
    begin(exchange, neighbours, me, round);
    complete(exchange, neighbours, me, round);
    EXPECT_GE(cart.allreduce(MPI_Wtime() - start, Operator::maximum), 0.9 * 5e-3);
  }
}

}  // namespace
}  // namespace cartwright::comm
