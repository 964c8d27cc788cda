// SPDX-License-Identifier: Apache-2.0
// What one rank can see to be wrong by itself is refused before anything is sent.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/error.hpp>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

class CollectiveMisuse : public ::testing::Test {
 protected:
  CollectiveMisuse()
      : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        c(comm_, engine_, Context{.settings = {.backend = BackendId::native}}),
        p(comm_.size()) {}

  /// The message of the error that `call` throws; without one: nothing.
  template <class Call>
  static std::string error_of(Call&& call) {
    try {
      call();
    } catch (const rt::Error& error) {
      return error.what();
    }
    return {};
  }

  /// The call is refused, and the message says what and where.
  template <class Call>
  static void expect_refused(const std::string& what, Call&& call) {
    const std::string message = error_of(call);
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_NE(message.find("misuse_test.cpp:"), std::string::npos) << message;
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  const Collectives c;
  const int p;
};

TEST_F(CollectiveMisuse, ShortBuffers) {
  const std::vector<int> four(4);
  std::vector<int> three(3);
  std::vector<int> short_all(static_cast<std::size_t>(4 * p - 1));
  const rt::Rank me = comm_.rank();
  expect_refused("allreduce at", [&] { c.allreduce(four, three, Operator::sum); });
  expect_refused("the output holds 3 elements, and needs 4",
                 [&] { c.allreduce(four, three, Operator::sum); });
  expect_refused("the output holds", [&] { c.allgather(four, short_all); });
  expect_refused("the output holds", [&] { c.gather(four, short_all, me); });
  expect_refused("holds", [&] {
    c.scatter(short_all, std::span(three.data(), 3), me, Blocks::balanced(p, 4 * p));
  });
  expect_refused("the output holds 3", [&] { c.start_scan(four, three, Operator::sum).wait(); });
  expect_refused("allgather at", [&] { c.prepare_allgather(four, short_all).start(); });
}

TEST_F(CollectiveMisuse, Roots) {
  std::vector<int> data(4);
  expect_refused("the root is rank", [&] { c.broadcast(data, rt::Rank{p}); });
  expect_refused("the root is rank -1", [&] { c.broadcast(data, rt::Rank{-1}); });
  expect_refused("reduce at", [&] { c.start_reduce(data, Operator::sum, rt::Rank{p}).wait(); });
  expect_refused("gather at", [&] { c.gather(data, rt::Rank{p + 7}); });
}

TEST_F(CollectiveMisuse, Overlap) {
  std::vector<int> data(static_cast<std::size_t>(8 * p));
  const std::span<int> all(data);
  expect_refused("overlap", [&] { c.allreduce(all.first(4), all.subspan(3, 4), Operator::sum); });
  expect_refused("overlap", [&] { c.allgather(all.subspan(1, 4), all); });
  expect_refused("overlap", [&] { c.alltoall(all, all); });
}

TEST_F(CollectiveMisuse, BlocksThatDontFit) {
  std::vector<int> data(static_cast<std::size_t>(3 * p + 1));
  std::vector<int> out(data.size());
  const comm::Blocks one_too_many = Blocks::balanced(p + 1, 3 * p + 1);
  if (p > 1) {
    expect_refused("equal blocks", [&] { c.alltoall(data, out); });
    expect_refused("equal blocks", [&] { c.allgather(data); });
    expect_refused("equal blocks", [&] { c.reduce_scatter(data, out, Operator::sum); });
  }
  expect_refused("blocks were given for", [&] { c.allgather(data, one_too_many); });
  expect_refused("for one of input and output only",
                 [&] { c.alltoall(data, out, one_too_many, {}); });
  EXPECT_FALSE(error_of([] { (void)comm::Blocks({1, -2}); }).empty());
  expect_refused("not all ranks know",
                 [&] { c.allgather(data, Blocks::away_from_root(p, comm_.rank().value, 1)); });
  // Before anybody is told of them.
  const comm::Blocks too_long = Blocks::balanced(p, 3 * p + 2);
  const rt::Rank me = comm_.rank();
  expect_refused("blocks were given for", [&] { (void)c.scatter_uneven(data, one_too_many, me); });
  expect_refused("the input holds", [&] { (void)c.scatter_uneven(data, too_long, me); });
  expect_refused("the input holds", [&] { (void)c.alltoall_uneven(data, too_long); });
}

TEST_F(CollectiveMisuse, SlicesAndOperators) {
  std::vector<int> data(10);
  const auto slice_error = [&](Strides strides) {
    return error_of([&] { (void)strided(std::span(data), strides); });
  };
  EXPECT_FALSE(slice_error({.block = 1, .stride = 5, .count = 3}).empty());
  EXPECT_FALSE(slice_error({.block = 3, .stride = 2, .count = 2}).empty());
  EXPECT_TRUE(slice_error({.block = 2, .stride = 4, .count = 3}).empty());
  bool flags[2] = {true, false};
  EXPECT_NE(error_of([&] { c.allreduce(flags, Operator::sum); }).find("is not defined"),
            std::string::npos);
}

TEST_F(CollectiveMisuse, PersistentsStartedTwice) {
  if (p == 1) GTEST_SKIP() << "is complete at once";
  Persistent persistent = c.prepare_barrier();
  if (comm_.is_root()) {
    persistent.start();  // can't be complete: the others haven't come
    expect_refused("under way", [&] { persistent.start(); });
  }
  comm_.barrier();
  if (!comm_.is_root()) persistent.start();
  persistent.wait();
}

}  // namespace
}  // namespace cartwright::comm
