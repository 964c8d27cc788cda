// SPDX-License-Identifier: Apache-2.0
// Long operations by a window of MPI's: they are done while their target does nothing at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "window_ways.hpp"

namespace cartwright::comm {
namespace {

using test::Way;
using test::Windows;

constexpr plan::Count many = 20'000;

/// The last rank sleeps outside of MPI and of comm until rank 0 says a word, which it does without
/// either.
class Sleep {
 public:
  explicit Sleep(const CartComm& cart) : me_(cart.rank().value), last_(cart.size() - 1) {
    const int number = static_cast<int>(cart.allreduce(me_ == 0 ? getpid() : 0, Operator::sum));
    path_ = fmt::format("{}/cartwright_sleep_{}", testing::TempDir(), number);
    if (me_ == 0) unlink(path_.c_str());  // of a run that was ended
    if (me_ == 0 && mkfifo(path_.c_str(), 0600) != 0) throw rt::internal_failure("no " + path_);
    cart.start_barrier().wait();
  }
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep() {
    if (me_ == 0) unlink(path_.c_str());
  }
  void meet() const {
    if (me_ != 0 && me_ != last_) return;
    const int end = open(path_.c_str(), me_ == 0 ? O_WRONLY : O_RDONLY);  // waits for the other
    char word = 'w';
    if (me_ == 0)
      EXPECT_EQ(write(end, &word, 1), 1);
    else
      EXPECT_EQ(read(end, &word, 1), 1);
    close(end);
  }

 private:
  int me_, last_;
  std::string path_;
};

class LongOperations : public testing::Test {
 protected:
  static void TearDownTestSuite() { Windows::forget(); }
  [[nodiscard]] const CartComm& cart() const { return windows_.cart(); }
  [[nodiscard]] int me() const { return cart().rank().value; }
  [[nodiscard]] rt::Rank last() const { return rt::Rank{cart().size() - 1}; }
  [[nodiscard]] test::Made<int> make() const {
    return windows_.make<int>(many,
                              {.name = "long operations", .time_limit = std::chrono::seconds(20)});
  }

  Windows& windows_ = Windows::of(Way::mpi_window);
};

TEST_F(LongOperations, NeedNoTargetUnderALock) {
  auto made = make();
  if (!made.window.has_mpi_window()) GTEST_SKIP() << "MPI's windows need their targets here";
  std::iota(made.local().begin(), made.local().end(), 1000 * me());
  std::vector<int> there(many), values(many, 7);
  const Sleep sleep(cart());
  auto all = made.window.lock_all();
  if (me() == 0) {
    all.get(last(), 0, there);  // the lock has to be got first, from a rank that looks
    all.flush(last()).wait();
  }
  cart().start_barrier().wait();
  if (me() == 0) {
    EXPECT_EQ(there.back(), 1000 * last().value + static_cast<int>(many) - 1);
    all.put(last(), 0, values);
    all.flush(last()).wait();
    all.get(last(), 0, there);
    all.flush_local(last()).wait();
    EXPECT_EQ(there, values);
  }
  sleep.meet();
  all.unlock().wait();
  cart().start_barrier().wait();
  if (cart().rank() == last()) {
    EXPECT_EQ(std::ranges::count(made.local(), 7), many);
  }
}

TEST_F(LongOperations, NeedNoTargetThatHasExposedItsMemory) {
  auto made = make();
  if (!made.window.has_mpi_window()) GTEST_SKIP() << "MPI's windows need their targets here";
  const std::vector<int> values(many, 5);
  const Sleep sleep(cart());
  std::optional<ExposureEpoch> exposure;
  if (cart().rank() == last()) exposure.emplace(made.window.post({rt::Rank{0}}));
  cart().start_barrier().wait();
  cart().start_barrier().wait();  // rank 0 has heard of it
  if (me() == 0) {
    auto access = made.window.start({last()});
    access.put(last(), 0, values);
    access.complete().wait();
  }
  sleep.meet();
  if (exposure) {
    exposure->wait().wait();
    EXPECT_EQ(std::ranges::count(made.local(), 5), many);
  }
  cart().start_barrier().wait();
}

TEST_F(LongOperations, NeedNoTargetThatIsInTheFence) {
  auto made = make();
  if (!made.window.has_mpi_window()) GTEST_SKIP() << "MPI's windows need their targets here";
  std::iota(made.local().begin(), made.local().end(), 1000 * me());
  const auto first = [](rt::Rank rank) { return 1000 * rank.value; };
  std::vector<int> there(many), values(many, 5);
  const Sleep sleep(cart());
  for (int round = 0; round < 2; ++round) {
    auto fence = made.window.fence();
    cart().start_barrier().wait();
    cart().start_barrier().wait();  // rank 0 has heard of it
    if (me() == 0 && round == 0) fence.get(last(), 0, there);
    if (me() == 0 && round == 1) fence.put(last(), 0, values);
    if (round == 0) {
      const auto begin = std::chrono::steady_clock::now();
      while (me() == 0 && there.back() != first(last()) + static_cast<int>(many) - 1 &&
             std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
        cart().engine().poll();
      sleep.meet();
      if (me() == 0) {
        EXPECT_EQ(there.back(), first(last()) + static_cast<int>(many) - 1);
      }
    }
    fence.close().wait();
  }
  if (cart().rank() == last()) {
    EXPECT_EQ(std::ranges::count(made.local(), 5), many);
  }
  cart().start_barrier().wait();
}

// A flush that is complete says that the lock is held, also where there was nothing to flush.
TEST_F(LongOperations, DontLetFlushesComeBeforeTheLock) {
  auto locked = make();
  auto counted = windows_.make<int>(1, {.name = "who holds the lock"});
  auto all = counted.window.lock_all();
  const auto add = [&](int more) {
    int before = -1;
    all.fetch_and_op(last(), 0, more, before, Operator::sum);
    all.flush(last()).wait();
    return before;
  };
  for (int round = 0; round < 10; ++round) {
    auto lock = locked.window.lock(last());
    lock.flush().wait();
    EXPECT_EQ(add(1), 0);
    EXPECT_EQ(add(-1), 1);
    lock.unlock().wait();
  }
  all.unlock().wait();
  cart().start_barrier().wait();
}

TEST_F(LongOperations, GoAsEverWhereNotAllAskForMpisWindow) {
  std::vector<int> memory(many), there(many);
  std::ranges::fill(memory, me());
  Window<int> window(cart(), std::span(memory), {.mpi_window = me() == 0 && cart().size() > 1});
  EXPECT_FALSE(window.has_mpi_window());
  auto lock = window.lock(last(), Lock::shared);
  lock.get(0, there);
  lock.unlock().wait();
  EXPECT_EQ(std::ranges::count(there, last().value), many);
}

TEST_F(LongOperations, MayBeOfRanksWithoutMemory) {
  std::vector<int> memory(me() == 0 ? many : 0), there(many, -1);
  std::ranges::fill(memory, 3);
  Window<int> window(cart(), std::span(memory), {.mpi_window = true});
  auto lock = window.lock(rt::Rank{0}, Lock::shared);
  lock.get(0, there);
  lock.flush().wait();
  EXPECT_EQ(std::ranges::count(there, 3), many);
  lock.unlock().wait();
}

}  // namespace
}  // namespace cartwright::comm
