// SPDX-License-Identifier: Apache-2.0
// What is under way: it outlives who began it, goes on with what follows, and is taken as it comes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/pending_set.hpp>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

class Pendings : public testing::TestWithParam<const char*> {
 protected:
  Pendings() { engine_.set_oversubscribed(true); }

  rt::Communicator comm_ = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine_;
};

TEST_P(Pendings, OutliveTheirCollectives) {
  std::vector<int> numbers(700, 1);
  std::vector<double> column(10, comm_.rank().value);
  Pending pending;
  Persistent persistent;
  {
    const Collectives c(comm_, engine_, known_backend(GetParam()));
    pending = c.start_allreduce(numbers, Operator::sum);
    persistent = c.prepare_broadcast(strided(column.data(), {.block = 1, .stride = 2, .count = 5}),
                                     rt::Rank{comm_.size() - 1});
    persistent.start();
  }
  pending.wait();
  persistent.wait();
  EXPECT_EQ(numbers, std::vector<int>(700, comm_.size()));
  EXPECT_EQ(column[4], comm_.size() - 1);
  EXPECT_EQ(column[5], comm_.rank().value);
  column.assign(10, comm_.rank().value);
  persistent.start();
  persistent.wait();
  EXPECT_EQ(column[8], comm_.size() - 1);
}

TEST_P(Pendings, OutliveTheirCartComm) {
  std::vector<int> all(3000, 1);
  std::vector<int> line(5, 1);
  Pending of_all;
  Pending of_line;
  {
    const CartComm cart(
        comm_, engine_,
        {.dims = {1, comm_.size()}, .settings = {.backend = known_backend(GetParam())}});
    of_all = cart.start_allreduce(all, Operator::sum);
    of_line = cart.along(1).start_allreduce(line, Operator::sum);
  }
  {
    // Another one takes the place in memory, and talks meanwhile.
    const CartComm cart(
        comm_, engine_,
        {.dims = {comm_.size()}, .settings = {.backend = known_backend(GetParam())}});
    EXPECT_EQ(cart.allreduce(2, Operator::sum), 2 * comm_.size());
  }
  of_line.wait();
  of_all.wait();
  EXPECT_EQ(all, std::vector<int>(3000, comm_.size()));
  EXPECT_EQ(line, std::vector<int>(5, comm_.size()));
}

TEST_P(Pendings, GoOnWithWhatFollows) {
  const Collectives c(comm_, engine_, known_backend(GetParam()));
  std::vector<int> one(9, 1);
  std::vector<int> other(9, 1);
  Pending second;
  bool was_right = false;
  Pending first = c.start_allreduce(one, Operator::sum).then([&] {
    was_right = one == std::vector<int>(9, comm_.size());
    second = c.start_allreduce(other, Operator::sum);
  });
  first.wait();
  EXPECT_TRUE(was_right);
  second.wait();
  EXPECT_EQ(other, std::vector<int>(9, comm_.size()));
  int times = 0;
  Pending none = Pending().then([&] { ++times; });
  none.wait();
  EXPECT_EQ(times, 1);
}

TEST_P(Pendings, GoOnWithWhatFollowsOnceAlsoIfThatFails) {
  const Collectives c(comm_, engine_, known_backend(GetParam()));
  std::vector<int> numbers(9, 1);
  int times = 0;
  Pending pending;
  const auto fail = [&] {
    pending = c.start_allreduce(numbers, Operator::sum).then([&times] {
      ++times;
      throw std::runtime_error("what follows fails");
    });
    pending.wait();
  };
  EXPECT_THROW(fail(), std::runtime_error);
  pending.wait();
  EXPECT_TRUE(pending.is_complete());
  EXPECT_EQ(times, 1);
  EXPECT_EQ(numbers, std::vector<int>(9, comm_.size()));
}

TEST_P(Pendings, AreTakenAsTheyCome) {
  const Collectives c(comm_, engine_, known_backend(GetParam()));
  constexpr std::size_t many = 60;
  std::vector<std::vector<int>> numbers;
  for (std::size_t i = 0; i < many; ++i) numbers.emplace_back(1 + 37 * i, static_cast<int>(i));
  PendingSet set(engine_);
  EXPECT_EQ(set.wait_any(), std::nullopt);
  EXPECT_EQ(set.test_any(), std::nullopt);
  for (std::size_t i = 0; i < many; ++i)
    EXPECT_EQ(set.add(c.start_allreduce(numbers[i], Operator::sum)), i);
  std::set<std::size_t> taken;
  while (taken.size() < many / 2)
    if (const auto number = set.test_any()) {
      EXPECT_TRUE(taken.insert(*number).second);
    }
  while (const auto number = set.wait_any()) {
    EXPECT_TRUE(taken.insert(*number).second);
    EXPECT_EQ(numbers[*number],
              std::vector<int>(1 + 37 * *number, static_cast<int>(*number) * comm_.size()));
  }
  EXPECT_EQ(taken.size(), many);
  EXPECT_EQ(set.size(), 0U);
  std::vector<int> last(3, 1);
  EXPECT_EQ(set.add(Pending()), many) << "complete from the start";
  EXPECT_EQ(set.add(c.start_allreduce(last, Operator::sum)), many + 1);
  set.wait_all();
  EXPECT_EQ(last, std::vector<int>(3, comm_.size()));
}

TEST_P(Pendings, OfASetAreWaitedForInTheEnd) {
  const Collectives c(comm_, engine_, known_backend(GetParam()));
  std::vector<int> numbers(100, 1);
  {
    PendingSet set(engine_);
    set.add(c.start_allreduce(numbers, Operator::sum));
  }
  EXPECT_EQ(numbers, std::vector<int>(100, comm_.size()));
}

INSTANTIATE_TEST_SUITE_P(, Pendings, testing::Values("native", "p2p", "shared", "rma", "auto"));

}  // namespace
}  // namespace cartwright::comm
