// SPDX-License-Identifier: Apache-2.0
// Each kind of epoch and operation by itself, through shared memory and by messages.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/pending_set.hpp>
#include <cartwright/comm/window.hpp>
#include <chrono>
#include <complex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "window_ways.hpp"

namespace cartwright::comm {
namespace {

using test::Way;
using test::Windows;

class Epochs : public testing::TestWithParam<Way> {
 protected:
  Epochs() : windows_(Windows::of(GetParam())) {}
  static void TearDownTestSuite() { Windows::forget(); }
  [[nodiscard]] const CartComm& cart() const { return windows_.cart(); }
  [[nodiscard]] int me() const { return cart().rank().value; }
  [[nodiscard]] int ranks() const { return cart().size(); }
  [[nodiscard]] rt::Rank next() const { return rt::Rank{(me() + 1) % ranks()}; }
  [[nodiscard]] rt::Rank previous() const { return rt::Rank{(me() + ranks() - 1) % ranks()}; }
  template <class T>
  [[nodiscard]] test::Made<T> make(plan::Count count, WindowOptions options = {}) {
    return windows_.make<T>(count, std::move(options));
  }

  Windows& windows_;
};

TEST_P(Epochs, PutToTheNextRank) {
  auto made = make<double>(10);
  Window<double>& window = made.window;
  const std::vector<double> values{1.5 + me(), 2.5 + me()};
  ExposureEpoch exposure = window.post({previous()});
  AccessEpoch<double> access = window.start({next()});
  access.put(next(), 3, values);
  EpochRequest sent = access.complete();
  EpochRequest come = exposure.wait();
  wait_all(sent, come);
  EXPECT_EQ(made.local()[3], 1.5 + previous().value);
  EXPECT_EQ(made.local()[4], 2.5 + previous().value);
  EXPECT_EQ(made.local()[5], 0);
}

TEST_P(Epochs, GetFromAllByFences) {
  auto made = make<int>(4);
  std::iota(made.local().begin(), made.local().end(), 10 * me());
  made.window.fence().close().wait();
  std::vector<int> all(static_cast<std::size_t>(4 * ranks()));
  FenceEpoch<int> fence = made.window.fence();
  for (int rank = 0; rank < ranks(); ++rank)
    fence.get(rt::Rank{rank}, 0, std::span(all).subspan(4 * static_cast<std::size_t>(rank), 4));
  fence.close().wait();
  for (int rank = 0; rank < ranks(); ++rank)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(all[static_cast<std::size_t>(4 * rank + i)], 10 * rank + i);
}

TEST_P(Epochs, CountUnderLocks) {
  auto made = make<std::int64_t>(2);
  const std::vector<std::int64_t> one{1, -1};
  std::vector<EpochRequest> pending;
  for (int round = 0; round < 30; ++round) {
    const rt::Rank target{(me() + round) % ranks()};
    LockEpoch<std::int64_t> lock =
        made.window.lock(target, round % 3 == 0 ? Lock::shared : Lock::exclusive);
    lock.accumulate(0, one, Operator::sum);
    pending.push_back(lock.unlock());
  }
  pending.clear();
  cart().start_barrier().wait();
  std::int64_t sums[2];
  LockEpoch<std::int64_t> mine = made.window.lock(cart().rank(), Lock::shared);
  mine.get_atomically(0, sums);
  mine.unlock().wait();
  const std::int64_t all = cart().allreduce(sums[0], Operator::sum);
  EXPECT_EQ(all, 30 * ranks());
  EXPECT_EQ(sums[1], -sums[0]);
}

TEST_P(Epochs, ReadWhatTheyChange) {
  auto made = make<std::uint32_t>(3);
  std::vector<std::uint32_t> tickets(20);
  std::uint32_t winner = 99;
  {
    LockAllEpoch<std::uint32_t> all = made.window.lock_all();
    for (std::uint32_t& ticket : tickets)
      all.fetch_and_op(rt::Rank{0}, 0, 1U, ticket, Operator::sum);
    all.compare_and_swap(rt::Rank{ranks() - 1}, 1, 0U, static_cast<std::uint32_t>(me() + 1),
                         winner);
    all.flush().wait();
    EXPECT_TRUE(std::ranges::is_sorted(tickets));
    std::uint32_t now = 0;
    all.get(rt::Rank{ranks() - 1}, 1, std::span(&now, 1));
    all.flush_local(rt::Rank{ranks() - 1}).wait();
    EXPECT_GE(now, 1U);
    EXPECT_EQ(winner == 0 ? static_cast<std::uint32_t>(me() + 1) : winner, now);
    all.unlock().wait();
  }
  cart().start_barrier().wait();
  EXPECT_EQ(cart().allreduce(winner == 0 ? 1 : 0, Operator::sum), 1);
  if (me() == 0) {
    EXPECT_EQ(made.local()[0], 20U * static_cast<std::uint32_t>(ranks()));
  }
}

TEST_P(Epochs, MoveSlices) {
  auto made = make<int>(60);
  std::vector<int> values(30);
  std::iota(values.begin(), values.end(), 100 * me());
  // A column of a 6 x 5 matrix, into every third element.
  FenceEpoch<int> fence = made.window.fence();
  fence.put(next(), {2, {.block = 1, .stride = 3, .count = 6}},
            strided(values.data() + 1, {.block = 1, .stride = 5, .count = 6}));
  fence.close().wait();
  std::vector<int> back(6), former(6, -1);
  fence = made.window.fence();
  fence.get(next(), {2, {.block = 1, .stride = 3, .count = 6}}, back);
  fence.close().wait();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(made.local()[static_cast<std::size_t>(2 + 3 * i)],
              100 * previous().value + 1 + 5 * i);
    EXPECT_EQ(back[static_cast<std::size_t>(i)], 100 * me() + 1 + 5 * i);
  }
  fence = made.window.fence();
  const std::vector<int> sevens(6, 7);
  fence.get_accumulate(next(), {2, {.block = 2, .stride = 6, .count = 3}}, sevens, former,
                       Operator::sum);
  fence.close().wait();
  EXPECT_EQ(former[0], 100 * me() + 1);
  EXPECT_EQ(former[1], 0);
  EXPECT_EQ(made.local()[2], 100 * previous().value + 8);
  EXPECT_EQ(made.local()[3], 7);
}

TEST_P(Epochs, MoveMuch) {
  constexpr plan::Count count = 300'000;
  auto made = make<double>(count + 1);
  std::vector<double> values(count), result(count), columns(2 * count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) + me();
  for (int round = 0; round < 2; ++round) {
    ExposureEpoch exposure = made.window.post({previous()});
    AccessEpoch<double> access = made.window.start({next()});
    access.put(next(), 1, values);
    EpochRequest sent = access.complete();
    exposure.wait().wait();
    sent.wait();
    bool is_right = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      is_right &= made.local()[i + 1] == static_cast<double>(i) + previous().value;
    EXPECT_TRUE(is_right);
    cart().start_barrier().wait();
    LockEpoch<double> lock = made.window.lock(next(), Lock::shared);
    lock.get(1, result);
    lock.get(1, strided(columns.data(), {.block = 1, .stride = 2, .count = count}));
    lock.unlock().wait();
    EXPECT_EQ(result, values);
    is_right = true;
    for (std::size_t i = 0; i < values.size(); ++i) is_right &= columns[2 * i] == values[i];
    EXPECT_TRUE(is_right);
    cart().start_barrier().wait();
    lock = made.window.lock(next(), Lock::shared);
    lock.accumulate(1, values, replace);
    lock.accumulate(1, values, Operator::sum);
    lock.unlock().wait();
    cart().start_barrier().wait();
    EXPECT_EQ(made.local()[count], 2 * (static_cast<double>(count - 1) + previous().value));
    cart().start_barrier().wait();
  }
}

TEST_P(Epochs, AccumulateWideElements) {
  using Complex = std::complex<double>;
  auto made = make<Complex>(5);
  const std::vector<Complex> values(5, {1, 2});
  std::vector<EpochRequest> pending;
  for (int i = 0; i < 20; ++i) {
    auto lock = made.window.lock(rt::Rank{i % ranks()}, Lock::shared);
    lock.accumulate(0, values, Operator::sum);
    pending.push_back(lock.unlock());
  }
  pending.clear();
  cart().start_barrier().wait();
  Complex all = made.local()[4];
  std::vector<double> sums{all.real(), all.imag()};
  cart().allreduce(sums, Operator::sum);
  EXPECT_EQ(sums[0], 20 * ranks());
  EXPECT_EQ(sums[1], 40 * ranks());
}

// The commonest program: without the clause on overlaps everybody would wait for everybody.
TEST_P(Epochs, ThatOverlapAreActiveTogether) {
  auto made = make<int>(ranks());
  std::vector<rt::Rank> all(static_cast<std::size_t>(ranks()));
  for (int rank = 0; rank < ranks(); ++rank) all[static_cast<std::size_t>(rank)].value = rank;
  for (int round = 1; round <= 20; ++round) {
    const bool posts_first = (round + me()) % 2 == 0;
    std::optional<ExposureEpoch> exposure;
    if (posts_first) exposure.emplace(made.window.post(all));
    AccessEpoch<int> access = made.window.start(all);
    const int value = 100 * round + me();
    for (const rt::Rank rank : all) access.put(rank, me(), std::span(&value, 1));
    if (!posts_first) exposure.emplace(made.window.post(all));
    EpochRequest sent = access.complete();
    exposure->wait().wait();
    sent.wait();
    for (int rank = 0; rank < ranks(); ++rank)
      EXPECT_EQ(made.local()[static_cast<std::size_t>(rank)], 100 * round + rank);
  }
}

TEST_P(Epochs, AreIssuedLongBeforeTheirTargetsAreReady) {
  if (ranks() < 2) GTEST_SKIP() << "nobody to talk to";
  auto made = make<int>(100);
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  std::vector<EpochRequest> pending;
  if (me() == 0) {
    for (std::size_t i = 0; i < 100; ++i) {
      AccessEpoch<int> access = made.window.start({rt::Rank{1}});
      access.put(rt::Rank{1}, static_cast<plan::Count>(i), std::span(values).subspan(i, 1));
      pending.push_back(access.complete());
    }
  } else if (me() == 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (std::size_t i = 0; i < 100; ++i) {
      made.window.post({rt::Rank{0}}).wait().wait();
      EXPECT_EQ(made.local()[i], static_cast<int>(i));
    }
  }
}

TEST_P(Epochs, GoTogetherWithCollectives) {
  auto made = make<std::int64_t>(1);
  PendingSet set(cart().engine());
  std::vector<std::int64_t> sums(10, me());
  const std::int64_t one = 1;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    set.add(cart().start_allreduce(std::span(sums).subspan(i, 1), Operator::sum));
    LockEpoch<std::int64_t> lock = made.window.lock(next());
    lock.accumulate(0, std::span(&one, 1), Operator::sum);
    set.add(lock.unlock().pending());
  }
  set.wait_all();
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, ranks() * (ranks() - 1) / 2);
  cart().start_barrier().wait();
  EXPECT_EQ(made.local()[0], 10);
}

TEST_P(Epochs, OfManyWindowsKeepApart) {
  std::vector<test::Made<int>> many;
  many.reserve(12);
  for (int i = 0; i < 12; ++i) many.push_back(make<int>(1));
  std::vector<EpochRequest> pending;
  std::vector<ExposureEpoch> exposures;
  std::vector<int> values(many.size());
  for (std::size_t i = 0; i < many.size(); ++i) {
    values[i] = 1000 * static_cast<int>(i) + me();
    // In another order on each rank.
    Window<int>& window = many[(i * 5 + static_cast<std::size_t>(me())) % many.size()].window;
    exposures.push_back(window.post({previous()}));
  }
  for (std::size_t i = 0; i < many.size(); ++i) {
    AccessEpoch<int> access = many[i].window.start({next()});
    access.put(next(), 0, std::span(&values[i], 1));
    pending.push_back(access.complete());
  }
  for (ExposureEpoch& exposure : exposures) pending.push_back(exposure.wait());
  pending.clear();
  for (std::size_t i = 0; i < many.size(); ++i)
    EXPECT_EQ(many[i].local()[0], 1000 * static_cast<int>(i) + previous().value);
}

TEST_P(Epochs, ThatLeaveTheirScopeOpenSaySo) {
  auto made = make<int>(5);
  EXPECT_THROW({ auto left_open = made.window.lock(cart().rank()); }, rt::Error);
  EXPECT_THROW(made.window.free(), rt::Error);
}

TEST_P(Epochs, CheckWhatIsAskedOfThem) {
  auto made = make<int>(5);
  Window<int>& window = made.window;
  const std::vector<int> values(4);
  std::vector<int> result(3);
  LockEpoch<int> lock = window.lock(cart().rank());
  EXPECT_THROW(lock.put(2, values), rt::Error);
  EXPECT_THROW(lock.put(-1, values), rt::Error);
  EXPECT_THROW(lock.put({0, {.block = 1, .stride = 1, .count = 3}}, values), rt::Error);
  EXPECT_THROW((void)window.lock(cart().rank()), rt::Error);
  EXPECT_THROW((void)window.fence(), rt::Error);
  EXPECT_THROW((void)window.start({cart().rank()}), rt::Error);
  lock.unlock().wait();
  EXPECT_THROW(lock.put(0, values), rt::Error);
  EXPECT_THROW((void)window.start({rt::Rank{ranks()}}), rt::Error);
  EXPECT_THROW((void)window.post({cart().rank(), cart().rank()}), rt::Error);
  if (ranks() > 1) {
    AccessEpoch<int> access = window.start({next()});
    EXPECT_THROW(access.put(cart().rank(), 0, values), rt::Error);
    access.complete().wait();
    window.post({previous()}).wait().wait();
  }
}

TEST_P(Epochs, NeedTheSameTypeOnAllRanks) {
  EXPECT_THROW((void)Window<double>::allocate(cart(), -1), rt::Error);
  if (ranks() == 1) GTEST_SKIP() << "nobody to differ from";
  for (int i = 0; i < 2; ++i) {
    if (me() == 0)
      EXPECT_THROW((void)Window<double>::allocate(cart(), 3), rt::Error);
    else
      EXPECT_THROW((void)Window<std::int64_t>::allocate(cart(), 3), rt::Error);
  }
  auto made = make<int>(5);
  made.window.free();
}

/// What an open epoch waits for is named, too.
TEST_P(Epochs, ThatNobodyGrantsAreNamedAfterTheTimeLimit) {
  if (ranks() < 2) GTEST_SKIP() << "nobody to wait for";
  auto made = make<int>(1, {.time_limit = std::chrono::milliseconds(50)});
  if (me() == 0) {
    LockEpoch<int> lock = made.window.lock(rt::Rank{1});
    lock.flush().wait();  // it is granted, not only asked for
    cart().start_barrier().wait();
    cart().start_barrier().wait();
    lock.unlock().wait();
  } else {
    cart().start_barrier().wait();
    if (me() == 1) {
      LockEpoch<int> lock = made.window.lock(rt::Rank{1});
      std::vector<int> seen(1);
      lock.get(0, seen);
      EpochRequest request = lock.flush();
      try {
        request.wait();
        ADD_FAILURE() << "rank 0 holds it";
      } catch (const rt::Error& error) {
        EXPECT_NE(std::string(error.what()).find("open; rank 1"), std::string::npos)
            << error.what();
      }
      cart().start_barrier().wait();
      lock.unlock().wait();
      request.wait();
    } else {
      cart().start_barrier().wait();
    }
  }
}

TEST_P(Epochs, OfNobodyAreComplete) {
  auto made = make<int>(0);
  made.window.start(Group({})).complete().wait();
  made.window.post(Group({})).wait().wait();
  made.window.lock_all().unlock().wait();
  LockAllEpoch<int> all = made.window.lock_all();
  all.flush().wait();
  all.put(cart().rank(), 0, std::span<const int>());
  all.unlock().wait();
}

/// Nothing else happens that would make the waiting rank look again.
TEST_P(Epochs, FlushBehindLocksOfOthers) {
  auto made = make<int>(1, {.time_limit = std::chrono::seconds(20)});
  std::optional<LockEpoch<int>> held;
  if (me() == 0) {
    held.emplace(made.window.lock(rt::Rank{0}));
    held->flush().wait();
  }
  cart().start_barrier().wait();
  if (me() == 1) {
    LockAllEpoch<int> all = made.window.lock_all();
    for (int poll = 0; poll < 20; ++poll) cart().engine().poll();
    const int one = 1;
    all.accumulate(rt::Rank{0}, 0, std::span(&one, 1), Operator::sum);
    EpochRequest flushed = all.flush();
    cart().start_barrier().wait();
    flushed.wait();
    all.unlock().wait();
  } else {
    cart().start_barrier().wait();
  }
  if (held) held->unlock().wait();
  cart().start_barrier().wait();
  if (me() == 0) {
    EXPECT_EQ(made.local()[0], ranks() > 1 ? 1 : 0);
  }
}

TEST_P(Epochs, ThatNobodyCompletesAreNamedAfterTheTimeLimit) {
  auto made = make<int>(1, {.name = "the late one", .time_limit = std::chrono::milliseconds(50)});
  if (ranks() > 1 && me() == 0) {
    EpochRequest request = made.window.post({next()}).wait();
    const auto expect_named = [](auto& waited_for) {
      try {
        waited_for.wait();
        ADD_FAILURE() << "nobody has written";
      } catch (const rt::Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("the late one"), std::string::npos) << text;
        EXPECT_NE(text.find("rank 1 has completed 0 of its accesses here, of 1"), std::string::npos)
            << text;
      }
    };
    expect_named(request);
    Pending pending = std::move(request).pending();
    expect_named(pending);
    cart().start_barrier().wait();
    pending.wait();
  } else {
    cart().start_barrier().wait();
  }
  if (ranks() > 1 && me() == 1) made.window.start({rt::Rank{0}}).complete().wait();
}

TEST_P(Epochs, ThatAreNotCompleteKeepTheirWindow) {
  if (ranks() < 2) GTEST_SKIP() << "nobody to talk to";
  auto made = make<int>(1);
  EpochRequest request = made.window.post({next()}).wait();
  try {
    made.window.free();
    ADD_FAILURE() << "nobody has written";
  } catch (const rt::Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("1 of its epochs is not complete"), std::string::npos) << text;
    EXPECT_NE(text.find("exposure (post) 1 (window_test.cpp:"), std::string::npos) << text;
    EXPECT_NE(text.find("has completed 0 of its accesses here, of 1"), std::string::npos) << text;
  }
  std::move(request).detach();
}

TEST_P(Epochs, EndWithTheirWindow) {
  if (ranks() < 2) GTEST_SKIP() << "nobody to talk to";
  EpochRequest flushed, closed;
  {
    auto made = make<int>(1);
    LockEpoch<int> mine = made.window.lock(cart().rank());
    cart().start_barrier().wait();  // now all have locked themselves
    LockEpoch<int> theirs = made.window.lock(next());
    const int one = 1;
    theirs.put(0, std::span(&one, 1));
    flushed = theirs.flush();
    closed = theirs.unlock();
    EXPECT_THROW(made.window.free(), rt::Error);
    mine.unlock().detach();
    cart().start_barrier().wait();
  }
  flushed.wait();
  closed.wait();
}

TEST_P(Epochs, ThatWaitDontMeetLongMessagesOfOtherWindows) {
  if (ranks() < 2) GTEST_SKIP() << "nobody to talk to";
  constexpr int elements = 1000;  // more than travel within a record
  auto held = make<int>(elements);
  auto busy = make<int>(elements);
  const std::vector<int> early(elements, -1);
  AccessEpoch<int> access = held.window.start({next()});
  access.put(next(), 0, early);
  EpochRequest waits = access.complete();
  for (int turn = 1; turn <= 300; ++turn) {
    const std::vector<int> values(elements, turn);
    ExposureEpoch exposure = busy.window.post({previous()});
    AccessEpoch<int> put = busy.window.start({next()});
    put.put(next(), 0, values);
    EpochRequest sent = put.complete();
    EpochRequest come = exposure.wait();
    wait_all(sent, come);
    ASSERT_EQ(std::ranges::count(busy.local(), turn), elements);
  }
  held.window.post({previous()}).wait().wait();
  waits.wait();
  EXPECT_EQ(std::ranges::count(held.local(), -1), elements);
}

TEST_P(Epochs, OfNobodyElseAreReachedDirectly) {
  auto made = make<int>(3);
  const auto mine = made.window.direct(cart().rank());
  if (GetParam() == Way::device)
    EXPECT_TRUE(mine.empty());
  else
    EXPECT_EQ(mine.data(), made.local().data());
  if (GetParam() != Way::memory || ranks() == 1) return;
  made.local()[1] = me() + 1;
  cart().start_barrier().wait();
  LockEpoch<int> lock = made.window.lock(next());
  lock.flush().wait();
  const auto theirs = made.window.direct(next());
  if (cart().is_off_node(next()))
    EXPECT_TRUE(theirs.empty());
  else
    EXPECT_EQ(theirs.size() == 3 ? theirs[1] : 0, next().value + 1);
  lock.unlock().wait();
  cart().start_barrier().wait();
}

TEST_P(Epochs, OnDevicesHaveOperands) {
  using test::imagined_copies, test::on_imagined_device;
  auto made = make<int>(2000);
  std::vector<int> values(1500), back(3000, -1), wide{-1, -2, -3, -4, -5, -6};
  std::iota(values.begin(), values.end(), 10 * me());
  auto fence = made.window.fence();
  {
    const auto there = on_device(on_imagined_device(values.data()), 1500, imagined_copies);
    fence.put(next(), 7, there);
  }
  std::ranges::fill(values, 0);  // it was copied
  fence.close().wait();
  EXPECT_EQ(made.local()[6], 0);
  for (int i = 0; i < 1500; ++i)
    ASSERT_EQ(made.local()[static_cast<std::size_t>(7 + i)], 10 * previous().value + i);
  cart().start_barrier().wait();

  // What a flush has brought belongs to the program, which changes it before the epoch is over.
  auto all = made.window.lock_all();
  all.get(next(), 7, on_device(on_imagined_device(back.data()), 1500, imagined_copies));
  const Strides every_second{.block = 1, .stride = 2, .count = 3};
  all.flush(next()).wait();
  for (int i = 0; i < 1500; ++i) ASSERT_EQ(back[static_cast<std::size_t>(i)], 10 * me() + i);
  EXPECT_EQ(back[1500], -1);
  back[0] = -7;
  all.get(next(), 8,
          on_device(strided(on_imagined_device(wide.data()), every_second), imagined_copies));
  all.flush_local(next()).wait();
  EXPECT_EQ(wide, (std::vector{10 * me() + 1, -2, 10 * me() + 2, -4, 10 * me() + 3, -6}));
  all.unlock().wait();
  EXPECT_EQ(back[0], -7);
  cart().start_barrier().wait();
}

TEST_P(Epochs, OnDevicesHaveMemoryWithoutGaps) {
  if (GetParam() != Way::device) return;
  std::vector<int> memory(6);
  const Strides every_second{.block = 1, .stride = 2, .count = 3};
  const auto there = on_device(strided(test::on_imagined_device(memory.data()), every_second),
                               test::imagined_copies);
  EXPECT_THROW(Window<int>(cart(), there), rt::Error);
  const Window<int> nothing(
      cart(), on_device(test::on_imagined_device(memory.data()), 0, test::imagined_copies));
  EXPECT_EQ(nothing.count(next()), 0);
}

INSTANTIATE_TEST_SUITE_P(By, Epochs, testing::ValuesIn(test::all_ways),
                         [](const auto& named) { return test::name_of(named.param); });

}  // namespace
}  // namespace cartwright::comm
