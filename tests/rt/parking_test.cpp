// SPDX-License-Identifier: Apache-2.0
// Where ranks sleep while they wait, and how others of their node wake them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/parking.hpp>
#include <cartwright/rt/request.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "process_parking.hpp"

namespace cartwright::rt {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

/// Two words for each rank: it is about to sleep; it was told to go on.
struct Words {
  std::atomic<std::uint32_t> is_ready{0}, may_go{0};
};

class Parked : public testing::Test {
 protected:
  Parked() : lease(arena.lease(arena.nodes().comm(), sizeof(Words))) {}

  Words& words(int member) { return *reinterpret_cast<Words*>(lease->part(member).data()); }
  [[nodiscard]] int me() const { return lease->me(); }
  [[nodiscard]] int next() const { return (me() + 1) % lease->members(); }

  Communicator world = Communicator::duplicate(MPI_COMM_WORLD);
  Arena arena{world};
  std::optional<Lease> lease;
};

TEST(ParkingPlace, WhoIsWokenBeforeItSleepsDoesNotSleep) {
  ParkingPlace place;
  place.announce();
  place.wake();
  const auto begin = steady_clock::now();
  place.sleep(seconds(60));
  EXPECT_LT(steady_clock::now() - begin, seconds(30));
  EXPECT_FALSE(place.is_taken());
}

TEST(ParkingPlace, ASleepEndsByItself) {
  ParkingPlace place;
  place.announce();
  const auto begin = steady_clock::now();
  place.sleep(std::chrono::milliseconds(5));
  EXPECT_GE(steady_clock::now() - begin, std::chrono::milliseconds(4));
  EXPECT_FALSE(place.is_taken());
}

TEST(Waker, OfNobodyDoesNothing) {
  Waker().wake();
}

TEST_F(Parked, RanksOfANodeWakeEachOther) {
  ASSERT_TRUE(lease);
  ASSERT_EQ(lease->wakers().size(), static_cast<std::size_t>(lease->members()));
  if (lease->members() == 1) return;
  ParkingPlace* const place = parking_place();
  ASSERT_NE(place, nullptr);
  // One after the other, so that each is asleep when it is woken.
  for (int sleeper = 0; sleeper < lease->members(); ++sleeper) {
    if (me() == sleeper) {
      place->announce();
      words(me()).is_ready.store(1);
      const auto begin = steady_clock::now();
      place->sleep(seconds(60));
      EXPECT_LT(steady_clock::now() - begin, seconds(30));
    } else if (next() == sleeper) {
      while (words(sleeper).is_ready.load() == 0) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      lease->wakers()[static_cast<std::size_t>(sleeper)].wake();
    }
    arena.nodes().comm().barrier();
  }
}

TEST_F(Parked, AlsoThoseOfGroupsOfANode) {
  ASSERT_TRUE(lease);
  const Communicator half = arena.nodes().comm().split(me() % 2, -me());
  const auto of_half = arena.lease(half, 64);
  ASSERT_TRUE(of_half);
  if (half.size() == 1) return;
  if (half.rank().value == 0) {
    ParkingPlace* const place = parking_place();
    place->announce();
    words(me()).is_ready.store(1);
    place->sleep(seconds(60));
    words(me()).may_go.store(1);
  } else if (half.rank().value == half.size() - 1) {
    // The first of the half: the highest of its ranks, as it is sorted the other way round.
    const int members = lease->members();
    const int sleeper = members - 1 - (members - 1 - me()) % 2;
    while (words(sleeper).is_ready.load() == 0) std::this_thread::yield();
    const auto begin = steady_clock::now();
    while (words(sleeper).may_go.load() == 0) {
      of_half->wakers()[0].wake();
      std::this_thread::yield();
    }
    EXPECT_LT(steady_clock::now() - begin, seconds(30));
  }
}

/// A later arena of as many ranks doesn't take over: what was leased before would wake nobody.
TEST_F(Parked, APlaceIsKeptForAnotherArenaOfTheSameRanks) {
  ASSERT_TRUE(lease);
  ParkingPlace* const place = parking_place();
  const Arena other(world);
  EXPECT_EQ(parking_place(), place);
  if (lease->members() == 1) return;
  const auto leased = other.lease(other.nodes().comm(), 64);
  ASSERT_TRUE(leased);
  if (me() == 0) {
    place->announce();
    words(0).is_ready.store(1);
    const auto begin = steady_clock::now();
    place->sleep(seconds(60));
    EXPECT_LT(steady_clock::now() - begin, seconds(30));
  } else if (me() == 1) {
    while (words(0).is_ready.load() == 0) std::this_thread::yield();
    leased->wakers()[0].wake();
  }
}

TEST_F(Parked, WhoWaitsForLongIsAsleepAndCanBeWoken) {
  ASSERT_TRUE(lease);
  if (lease->members() == 1) return;
  if (me() == 0) {
    Patience patience(false);
    while (words(0).may_go.load(std::memory_order_acquire) == 0) patience.pause();
  } else if (me() == 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    words(0).may_go.store(1, std::memory_order_release);
    lease->wakers()[0].wake();
  }
  arena.nodes().comm().barrier();
  EXPECT_FALSE(parking_place()->is_taken());
}

}  // namespace
}  // namespace cartwright::rt
