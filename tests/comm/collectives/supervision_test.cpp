// SPDX-License-Identifier: Apache-2.0
// Errors of supervised collectives that are caught: the ranks can go on.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace cartwright::comm {
namespace {

using namespace std::chrono_literals;

class SupervisedCollectives : public ::testing::TestWithParam<const char*> {
 protected:
  SupervisedCollectives() : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)) {
    engine_.set_oversubscribed(true);
  }
  [[nodiscard]] Collectives with(const Supervision& supervision) {
    Context options{.settings = {.backend = known_backend(GetParam()),
                                 .checked = supervision.checked,
                                 .time_limit = supervision.time_limit}};
    return {comm_, engine_, std::move(options)};
  }
  [[nodiscard]] bool is_last() const { return comm_.rank().value == comm_.size() - 1; }

  template <class Call>
  static std::string error_of(Call&& call) {
    try {
      call();
    } catch (const rt::Error& error) {
      return error.what();
    }
    return "";
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
};

TEST_P(SupervisedCollectives, GoOnAfterADisagreement) {
  if (comm_.size() == 1) GTEST_SKIP() << "nobody to disagree with";
  const Collectives c = with({.checked = true});
  std::vector<int> data(7, 1);
  for (int i = 0; i < 3; ++i) {
    const std::string blocking =
        error_of([&] { c.broadcast(std::span(data).first(is_last() ? 6 : 7), rt::Rank{0}); });
    EXPECT_NE(blocking.find("broadcast of 6 32-bit integers"), std::string::npos) << blocking;
    EXPECT_NE(blocking.find("broadcast of 7 32-bit integers"), std::string::npos) << blocking;
    // In flight behind it: given up too. Before it: complete.
    auto good = c.start_allreduce(data, Operator::maximum);
    auto bad = c.start_broadcast(data, rt::Rank{is_last() ? 1 : 0});
    auto behind = c.start_barrier();
    EXPECT_NE(error_of([&] {
                behind.wait();
                bad.wait();
              }).find("the ranks disagree about"),
              std::string::npos);
    good.wait();
    EXPECT_EQ(c.allreduce(1, Operator::sum), comm_.size());
  }
}

TEST_P(SupervisedCollectives, NameBlocksThatDontFit) {
  const Collectives c = with({.checked = true});
  const int me = comm_.rank().value;
  const int p = comm_.size();
  // Rank a sends b elements to rank b; `wrong`: rank p - 1 expects one more from rank 0.
  const auto alltoall = [&](bool wrong) {
    std::vector<plan::Count> to(static_cast<std::size_t>(p));
    for (std::size_t rank = 0; rank < to.size(); ++rank) to[rank] = static_cast<int>(rank);
    std::vector<plan::Count> from(to.size(), me);
    if (wrong && is_last()) ++from.front();
    const Blocks sent(to);
    const Blocks received(from);
    const std::vector<int> in(static_cast<std::size_t>(sent.total()), me);
    std::vector<int> out(static_cast<std::size_t>(received.total()), -1);
    c.alltoall(in, out, sent, received);
    for (int rank = 0; rank < p; ++rank)
      for (plan::Count i = received.offset(rank); i < received.offset(rank + 1); ++i)
        EXPECT_EQ(out[static_cast<std::size_t>(i)], rank);
  };
  for (int i = 0; i < 2; ++i) {
    alltoall(false);
    const std::string error = error_of([&] { alltoall(true); });
    EXPECT_NE(error.find("alltoall of 32-bit integers in own blocks at supervision_test.cpp:"),
              std::string::npos)
        << error;
    const std::string pair =
        fmt::format("rank 0 sends {} elements to rank {}, which expects {}", p - 1, p - 1, p);
    EXPECT_NE(error.find(pair), std::string::npos) << error;
  }
  // As many in all, but cut elsewhere.
  if (p == 1) return;
  std::vector<plan::Count> counts(static_cast<std::size_t>(p), 2);
  if (is_last()) {
    ++counts.front();
    --counts.back();
  }
  const Blocks blocks(counts);
  const std::vector<int> mine(2, me);
  std::vector<int> all(static_cast<std::size_t>(2 * p));
  const std::string error = error_of([&] { c.allgather(mine, all, blocks); });
  const std::string block = fmt::format(
      "the block of rank {} has 1 elements, says rank {}, and 2, says rank 0", p - 1, p - 1);
  EXPECT_NE(error.find(block), std::string::npos) << error;
}

TEST_P(SupervisedCollectives, CompareBlocksThatTheRootAloneKnows) {
  if (comm_.size() == 1) GTEST_SKIP() << "nobody to disagree with";
  const Collectives c = with({.checked = true});
  const std::vector<plan::Count> counts(static_cast<std::size_t>(comm_.size()), 2);
  const rt::Rank root{0};
  const std::vector<int> all(static_cast<std::size_t>(2 * comm_.size()), 3);
  std::vector<int> mine(2);
  c.scatter(all, mine, root, c.blocks_at_root(root, counts, 2));
  EXPECT_EQ(mine, std::vector<int>(2, 3));
  const int expected = is_last() ? 1 : 2;
  const std::string error =
      error_of([&] { c.scatter(all, mine, root, c.blocks_at_root(root, counts, expected)); });
  const std::string block = fmt::format(
      "the block of rank {0} has 1 elements, says rank {0}, and 2, says rank 0", comm_.size() - 1);
  EXPECT_NE(error.find(block), std::string::npos) << error;
}

TEST_P(SupervisedCollectives, BlockingCallsMatchNoNonblockingOnes) {
  if (comm_.size() == 1) GTEST_SKIP() << "nobody to disagree with";
  const Collectives c = with({.checked = true});
  const std::string error = error_of([&] {
    if (is_last())
      c.start_barrier().wait();
    else
      c.barrier();
  });
  EXPECT_NE(error.find("(nonblocking)"), std::string::npos) << error;
}

TEST_P(SupervisedCollectives, CompareTheExchangeOfCounts) {
  if (comm_.size() == 1) GTEST_SKIP() << "nobody to disagree with";
  const Collectives c = with({.checked = true});
  const std::vector<int> mine(static_cast<std::size_t>(comm_.rank().value), 1);
  const std::string error = error_of([&] {
    if (is_last())
      (void)c.allgather_uneven(mine);
    else
      (void)c.alltoall_uneven(mine, Blocks::balanced(comm_.size(), comm_.rank().value));
  });
  EXPECT_NE(error.find(": allgather of"), std::string::npos) << error;
  EXPECT_NE(error.find(": alltoall of"), std::string::npos) << error;
  // The next one is carried out.
  EXPECT_EQ(c.allgather_uneven(mine).blocks.count(comm_.size() - 1), comm_.size() - 1);
}

TEST_P(SupervisedCollectives, ReportWhoIsMissing) {
  if (comm_.size() == 1) GTEST_SKIP() << "nobody to wait for";
  const Collectives c = with({.time_limit = 0.2s});
  c.barrier();
  if (is_last()) {
    std::this_thread::sleep_for(1s);
    return;
  }
  const std::string error = error_of([&] { c.barrier(); });
  EXPECT_NE(error.find("barrier at supervision_test.cpp:"), std::string::npos) << error;
  EXPECT_NE(error.find("not known to have begun it"), std::string::npos) << error;
}

TEST_P(SupervisedCollectives, TimeSpentElsewhereDoesntCount) {
  const Collectives c = with({.time_limit = 1s});
  if (is_last()) std::this_thread::sleep_for(2500ms);
  auto pending = c.start_barrier();
  // The others poll it for longer than the limit, but don't wait for it.
  const auto until = std::chrono::steady_clock::now() + 5s;
  while (!pending.test() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(10ms);
  pending.wait();
}

INSTANTIATE_TEST_SUITE_P(, SupervisedCollectives, ::testing::Values("native", "p2p"));

/// Without supervision a message that doesn't fit is found by who takes it.
TEST(UnsupervisedCollectives, NameTheCallOfAMessageThatDoesntFit) {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  if (world.size() != 2 || !rt::Arena(world).available()) GTEST_SKIP() << "two ranks of a node";
  rt::ProgressEngine engine;
  engine.set_oversubscribed(true);
  const CartComm cart(world, engine, {.dims = {2}, .settings = {.backend = BackendId::shared}});
  std::vector<int> data(7, 1);
  const std::size_t length = world.is_root() ? 7 : 6;
  try {
    cart.all().allreduce(std::span(data).first(length), Operator::maximum);
    ADD_FAILURE() << "the ranks have other lengths";
  } catch (const rt::Error& error) {
    EXPECT_NE(std::string(error.what()).find("allreduce at supervision_test.cpp:"),
              std::string::npos)
        << error.what();
  }
}

/// A communicator of one rank has its core for itself, its process hasn't: no wait may spin.
TEST(CollectivesOfFewRanks, KnowWhoElseSharesTheirCores) {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  const rt::Communicator alone = world.split(world.rank().value, 0);
  rt::ProgressEngine busy;
  busy.set_oversubscribed(true);
  const Collectives of_alone(alone, busy);
  EXPECT_TRUE(busy.oversubscribed());
  // One rank knows it; all have to choose alike.
  rt::ProgressEngine engine;
  engine.set_oversubscribed(world.is_root());
  const Collectives of_all(world, engine);
  EXPECT_TRUE(engine.oversubscribed());
}

}  // namespace
}  // namespace cartwright::comm
