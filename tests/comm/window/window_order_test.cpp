// SPDX-License-Identifier: Apache-2.0
// What ranks may conclude from what they see: the order of transactions, and what a thread does for
// a rank that computes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cartwright/comm/window.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "window_ways.hpp"

namespace cartwright::comm {
namespace {

using test::Way;
using test::Windows;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class Order : public testing::TestWithParam<Way> {
 protected:
  Order() : windows_(Windows::of(GetParam())) {}
  static void TearDownTestSuite() { Windows::forget(); }
  [[nodiscard]] const CartComm& cart() const { return windows_.cart(); }
  [[nodiscard]] int me() const { return cart().rank().value; }
  [[nodiscard]] int ranks() const { return cart().size(); }

  Windows& windows_;
};

long long seen_by_lock(Window<long long>& window, rt::Rank target, plan::Count at) {
  long long value = 0;
  auto lock = window.lock(target, Lock::shared);
  lock.get(at, std::span(&value, 1));
  lock.unlock().wait();
  return value;
}

// Rank 0 writes a value to one rank after the other, each closed, none waited for. Whoever sees it
// sees it on all ranks that were written to before.
TEST_P(Order, TransactionsDontOvertakeOnesOnOtherRanks) {
  if (ranks() < 2) GTEST_SKIP() << "nobody to talk to";
  constexpr long long last = 60;
  auto made = windows_.make<long long>(1, {.name = "values"});
  auto& window = made.window;
  if (me() == 0) {
    std::vector<long long> values(last + 1);
    std::vector<EpochRequest> pending;
    for (long long value = 1; value <= last; ++value) {
      values[static_cast<std::size_t>(value)] = value;
      for (int rank = 1; rank < ranks(); ++rank) {
        // Backwards every other time, and once to itself.
        const rt::Rank target{value % 2 == 0 ? rank : ranks() - rank};
        auto lock = window.lock(value == 7 && rank == 1 ? rt::Rank{0} : target);
        lock.put(0, std::span(&values[static_cast<std::size_t>(value)], 1));
        pending.push_back(lock.unlock());
      }
    }
    pending.clear();
  } else {
    long long mine = 0;
    while (mine < last) {
      mine = seen_by_lock(window, cart().rank(), 0);
      // Who was written to before this one, in the order of that value.
      for (int rank = 1; rank < ranks(); ++rank) {
        const bool is_before = mine % 2 == 0 ? rank < me() : rank > me();
        const long long least = mine - (is_before ? 0 : 1);
        if (mine == 7 || least == 7) continue;
        EXPECT_GE(seen_by_lock(window, rt::Rank{rank}, 0), least) << "rank " << rank;
      }
    }
  }
  cart().start_barrier().wait();
}

// Locks that are open together have no order, but what is opened behind both comes behind both.
TEST_P(Order, TransactionsComeBehindTwoThatWereOpenTogether) {
  if (ranks() < 4) GTEST_SKIP() << "it takes four";
  constexpr long long last = 60;
  auto made = windows_.make<long long>(1, {.name = "values"});
  auto& window = made.window;
  if (me() == 0) {
    std::vector<long long> values(last + 1);
    std::vector<EpochRequest> pending;
    for (long long value = 1; value <= last; ++value) {
      const auto one = std::span(&(values[static_cast<std::size_t>(value)] = value), 1);
      auto first = window.lock(rt::Rank{1});
      auto second = window.lock(rt::Rank{2});
      first.put(0, one);
      second.put(0, one);
      pending.push_back(first.unlock());
      pending.push_back(second.unlock());
      auto third = window.lock(rt::Rank{3});
      third.put(0, one);
      pending.push_back(third.unlock());
    }
  } else if (me() == 3) {
    for (long long mine = 0; mine < last;) {
      mine = seen_by_lock(window, cart().rank(), 0);
      for (const int rank : {1, 2}) EXPECT_GE(seen_by_lock(window, rt::Rank{rank}, 0), mine);
    }
  }
  cart().start_barrier().wait();
}

/// What one rank tells others that call nothing of comm's, nor of MPI's, meanwhile: by a file.
class Signal {
 public:
  Signal(const CartComm& cart, const char* what)
      : file_(fmt::format(
            "window_order_{}_{}", what,
            cart.allreduce(cart.rank().value == 0 ? ::getpid() : 0, Operator::maximum))) {}
  void give() const { std::ofstream stream(file_); }
  [[nodiscard]] bool is_given() const { return std::filesystem::exists(file_); }
  void forget() const { std::filesystem::remove(file_); }

 private:
  std::filesystem::path file_;
};

/// Until `done()`; false where it doesn't come in a time that only a hang takes.
template <class Condition>
bool await(const Condition& done) {
  constexpr std::chrono::seconds limit(30);
  const auto begin = Clock::now();
  while (!done()) {
    if (Clock::now() - begin > limit) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

// Rank 0 has closed an epoch whose lock rank 2 holds, and computes until rank 2 has seen what it
// wrote. When rank 2 lets go, rank 0's thread goes on.
TEST_P(Order, AThreadGoesOnWhileItsRankComputes) {
  if (ranks() < 3) GTEST_SKIP() << "it takes three";
  int level = 0;
  MPI_Query_thread(&level);
  bool by_messages = GetParam() != Way::memory;
  for (int rank = 0; rank < ranks(); ++rank)
    by_messages = by_messages || cart().is_off_node(rt::Rank{rank});
  by_messages = cart().allreduce(by_messages ? 1 : 0, Operator::maximum) == 1;
  if (by_messages && level < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI serves one thread";
  auto made = windows_.make<long long>(1, {.name = "flag", .thread = true});
  auto& window = made.window;
  const Signal closed(cart(), "closed"), seen(cart(), "seen");
  const auto computes_until_it_is_seen = [&] { return await([&] { return seen.is_given(); }); };
  const long long one = 1;
  if (me() == 2) {
    auto held = window.lock(rt::Rank{1});
    held.flush().wait();  // it is
    cart().start_barrier().wait();
    EXPECT_TRUE(await([&] { return closed.is_given(); }));
    held.unlock().wait();
    EXPECT_TRUE(await([&] { return seen_by_lock(window, rt::Rank{1}, 0) != 0; }));
    seen.give();
  } else if (me() == 0) {
    cart().start_barrier().wait();
    auto lock = window.lock(rt::Rank{1});
    lock.put(0, std::span(&one, 1));
    EpochRequest done = lock.unlock();
    closed.give();
    EXPECT_TRUE(computes_until_it_is_seen());
    // What is left is the way back of a confirmation.
    EXPECT_TRUE(await([&] { return done.is_complete(); }));
  } else {
    cart().start_barrier().wait();
    EXPECT_TRUE(computes_until_it_is_seen());  // its thread serves the others
  }
  cart().start_barrier().wait();
  for (const Signal& signal : {closed, seen})
    if (me() == 0) signal.forget();
}

INSTANTIATE_TEST_SUITE_P(By, Order, testing::ValuesIn(test::all_ways),
                         [](const auto& named) { return test::name_of(named.param); });

}  // namespace
}  // namespace cartwright::comm
