// SPDX-License-Identifier: Apache-2.0
// Collectives along several axes at once, on real and on imagined nodes; the
// messages between nodes are as many as the grid's mapping says.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/axis_collectives.hpp>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace cartwright::comm {
namespace {

struct Machine {
  const char* backend;
  const char* topology;
};

class OnAxes : public testing::TestWithParam<Machine> {
 protected:
  OnAxes()
      : parent_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        cart_(parent_, engine_,
              {.dims = mapping::choose_process_grid({.ranks = parent_.size(), .extents = {64, 64}}),
               .settings = {.backend = known_backend(GetParam().backend)}},
              mapping::discover(parent_, GetParam().topology)) {}

  [[nodiscard]] int line_size(int axis) const { return cart_.axis(axis).size(); }
  [[nodiscard]] int on_line(int axis) const { return cart_.axis(axis).rank().value; }

  rt::Communicator parent_;
  rt::ProgressEngine engine_;
  CartComm cart_;
};

TEST_P(OnAxes, BroadcastsAlongBothAxes) {
  for (const AxisOrder order :
       {AxisOrder::overlapped, AxisOrder::sequential, AxisOrder::automatic}) {
    for (const std::size_t n : {0U, 1U, 1000U, 40'000U}) {
      const int root_x = line_size(0) - 1;
      const int root_y = line_size(1) / 2;
      std::vector<int> a(n, on_line(1) * 100 + on_line(0));
      std::vector<int> b(n, on_line(0) * 100 + on_line(1));
      AxisCollectives both(cart_, order);
      both.add(cart_.along(0).prepare_broadcast(a, rt::Rank{root_x}));
      both.add(cart_.along(1).prepare_broadcast(b, rt::Rank{root_y}));
      both.run();
      EXPECT_EQ(a, std::vector<int>(n, on_line(1) * 100 + root_x));
      EXPECT_EQ(b, std::vector<int>(n, on_line(0) * 100 + root_y));
    }
  }
}

// Nobody has probed these nodes: the model of a typical machine decides.
TEST_P(OnAxes, AModelDecidesWhetherTheyOverlap) {
  if (cart_.topology().nodes == 1) GTEST_SKIP() << "one node";
  std::vector<int> nodes(static_cast<std::size_t>(cart_.size()));
  const int mine = cart_.topology().here.node;
  MPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, cart_.communicator().handle());
  const mapping::NodeMap map{cart_.shape(), nodes, cart_.topology().nodes};
  const auto channels =
      mapping::node_channels(plan::typical_machine(cart_.topology().largest_node));
  for (const double bytes : {8.0, 65536.0, 4194304.0}) {
    EXPECT_EQ(cart_.overlap_pays(bytes), mapping::overlap_pays(map, channels, bytes));
    EXPECT_EQ(AxisCollectives(cart_, AxisOrder::automatic, bytes).overlapped(),
              cart_.overlap_pays(bytes));
  }
}

TEST_P(OnAxes, StartsAgain) {
  long long x = 0;
  long long y = 0;
  AxisCollectives both(cart_, AxisOrder::overlapped);
  both.add(cart_.along(0).prepare_allreduce(std::span(&x, 1), Operator::sum));
  both.add(cart_.along(1).prepare_allreduce(std::span(&y, 1), Operator::sum));
  for (int turn = 1; turn < 5; ++turn) {
    x = turn;
    y = 2 * turn;
    both.start();
    while (!both.test()) {
    }
    EXPECT_EQ(x, turn * line_size(0));
    EXPECT_EQ(y, 2 * turn * line_size(1));
  }
}

TEST_P(OnAxes, OtherOperationsOverlapToo) {
  const auto p = static_cast<std::size_t>(line_size(0));
  const std::vector<int> mine(3, on_line(0));
  std::vector<int> all(3 * p, -1);
  std::vector<double> sums(500, 1.0);
  AxisCollectives both(cart_);
  both.add(cart_.along(0).prepare_allgather(mine, all));
  both.add(cart_.along(1).prepare_reduce(sums, Operator::sum, rt::Rank{0}));
  both.run();
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<int>(i / 3));
  EXPECT_EQ(sums.front(), on_line(1) == 0 ? line_size(1) : 1.0);
}

/// Algorithms differ by when a call is waited for: calls of both kinds, of the same sizes, don't
/// get in each other's way.
TEST_P(OnAxes, LargeDataMayBeWaitedForAtOnceOrLater) {
  const Collectives& all = cart_.all();
  const std::size_t n = (192 << 10) / sizeof(int);
  const int last = parent_.size() - 1;
  const bool is_last = cart_.rank().value == last;
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<int> now(n, is_last ? 5 : 0);
    std::vector<int> later(n, is_last ? 6 : 0);
    std::vector<int> sums_now(n, 1);
    std::vector<int> sums_later(n, 2);
    auto kept = all.prepare_broadcast(later, rt::Rank{last});
    Pending sum = all.start_reduce(sums_later, Operator::sum, rt::Rank{0});
    kept.start();
    all.broadcast(now, rt::Rank{last});
    all.reduce(sums_now, Operator::sum, rt::Rank{0});
    kept.wait();
    sum.wait();
    EXPECT_EQ(now, std::vector<int>(n, 5));
    EXPECT_EQ(later, std::vector<int>(n, 6));
    if (cart_.is_root()) {
      EXPECT_EQ(sums_now, std::vector<int>(n, parent_.size()));
      EXPECT_EQ(sums_later, std::vector<int>(n, 2 * parent_.size()));
    }
  }
}

TEST_P(OnAxes, ACallMayBeMadeByAnotherBackend) {
  const Collectives& all = cart_.all();
  const std::string_view own = GetParam().backend;
  std::vector<std::string_view> names{"native"};
  if (own == "auto") names.insert(names.end(), {"p2p", "shared"});
  if (own != "auto" && own != "native") names.push_back(own);
  for (const std::string_view name : names) {
    const Collectives other = all.by(known_backend(name));
    EXPECT_EQ(other.backend().name(), name);
    EXPECT_EQ(other.allreduce(1, Operator::sum), parent_.size());
    int sum = 1;
    other.start_allreduce(std::span(&sum, 1), Operator::sum).wait();
    EXPECT_EQ(sum, parent_.size());
    EXPECT_EQ(all.allreduce(2, Operator::sum), 2 * parent_.size());
  }
  EXPECT_THROW((void)all.by(known_backend("gossip")), rt::Error);
  if (own == "auto") {
    EXPECT_THROW((void)all.by(BackendId::rma), rt::Error);
  }
}

/// The first ranks wait for a broadcast that the others should pass on, before they come to the
/// barrier in which those are already.
TEST(AutoBackend, BlocksNobodyWhoIsNeededElsewhere) {
  const auto parent = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  engine.set_oversubscribed(true);
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({parent.size(), false},
                       {plan::Operation::barrier, 0, BackendId::native, "", 1, 1});
  knowledge->tuned.add({parent.size(), false},
                       {plan::Operation::allreduce, 8, BackendId::native, "", 1, 1});
  knowledge->tuned.add({parent.size(), false},
                       {plan::Operation::broadcast, 8, BackendId::p2p, "chain(1)", 1, 1});
  const Collectives collectives(parent, engine, Context{.knowledge = knowledge});
  const int me = parent.rank().value;
  std::vector<int> data(5, me);
  Pending broadcast = collectives.start_broadcast(data, rt::Rank{0});
  if (me == parent.size() - 1) broadcast.wait();
  collectives.barrier();
  EXPECT_EQ(collectives.allreduce(1, Operator::sum), parent.size());
  broadcast.wait();
  EXPECT_EQ(data, std::vector<int>(5, 0));
}

INSTANTIATE_TEST_SUITE_P(Axes, OnAxes,
                         testing::Values(Machine{"native", ""}, Machine{"p2p", ""},
                                         Machine{"shared", ""}, Machine{"auto", ""},
                                         Machine{"rma", ""}, Machine{"shared", "node:4 core:2"},
                                         Machine{"rma", "node:4 core:2"}));

/// A broadcast along a line goes down a chain: as many messages leave nodes as there are
/// neighbours on the chain that sit on different nodes, whether axes overlap or take turns.
TEST(AxisTraffic, IsWhatTheMappingSays) {
  const auto parent = rt::Communicator::duplicate(MPI_COMM_WORLD);
  if (parent.size() % 4 != 0) GTEST_SKIP() << "needs nodes of 4 ranks";
  const std::string nodes = "node:" + std::to_string(parent.size() / 4) + " core:4";
  rt::ProgressEngine engine;
  for (const auto strategy : {mapping::Strategy::identity, mapping::Strategy::tile}) {
    for (const AxisOrder order : {AxisOrder::overlapped, AxisOrder::sequential}) {
      const CartComm cart(parent, engine,
                          {.dims = {4, parent.size() / 4},
                           .strategy = strategy,
                           .settings = {.backend = BackendId::shared, .broadcast = {"chain(1)"}}},
                          mapping::discover(parent, nodes));
      std::vector<int> a(10, 1);
      std::vector<int> b(10, 1);
      AxisCollectives both(cart, order);
      both.add(cart.along(0).prepare_broadcast(a, rt::Rank{0}));
      both.add(cart.along(1).prepare_broadcast(b, rt::Rank{0}));
      both.run();
      Traffic sent = cart.along(0).backends().traffic();
      sent += cart.along(1).backends().traffic();
      std::int64_t expected_off = 0;
      std::int64_t expected_all = 0;
      for (int axis = 0; axis < 2; ++axis) {
        const auto next = cart.neighbour(axis, +1);
        if (!next) continue;
        ++expected_all;
        expected_off += cart.is_off_node(*next) ? 1 : 0;
      }
      EXPECT_EQ(sent.messages_off_node, expected_off);
      EXPECT_EQ(sent.messages_off_node + sent.messages_on_node, expected_all);
      EXPECT_EQ(sent.bytes_off_node, expected_off * 40);
      const long long off_faces = cart.all().allreduce(expected_off, Operator::sum);
      EXPECT_EQ(off_faces, cart.mapping().off_node_faces_after);
    }
  }
}

}  // namespace
}  // namespace cartwright::comm
