// SPDX-License-Identifier: Apache-2.0
// What windows are made of: locks and updates by threads, and which epochs may be active together.
#include <gtest/gtest.h>

#include <array>
#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/comm/window/element_updates.hpp>
#include <cartwright/comm/window/epoch.hpp>
#include <cartwright/comm/window/remote_operation.hpp>
#include <cartwright/rt/error.hpp>
#include <complex>
#include <functional>
#include <thread>
#include <vector>

namespace cartwright::comm {
namespace {

void by_threads(int threads, const std::function<void(int)>& work) {
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) all.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : all) thread.join();
}

/// Elements of any type, in bytes: each a small number, so that all operators are exact.
template <class T>
std::vector<T> small_numbers(std::size_t count, int first) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = (3 * i + static_cast<std::size_t>(first)) % 5;
    values.emplace_back(static_cast<std::uint8_t>(number));
  }
  return values;
}

/// Against the reduction that collectives use; where that isn't defined, the update is refused.
template <class T>
void expect_updates_of(ScalarType type) {
  constexpr std::size_t count = 7;
  const auto before = small_numbers<T>(count, 1), operands = small_numbers<T>(count, 3);
  for (int code = 0; code <= static_cast<int>(Operator::bit_xor); ++code) {
    const auto op = static_cast<Operator>(code);
    SCOPED_TRACE(name(op));
    if (!is_defined(op, type)) {
      EXPECT_THROW((void)element_update(Update::by(op), type), rt::Error);
      continue;
    }
    std::vector<T> target = before, former(count), expected(count);
    std::uint64_t guard = 0;
    const auto bytes = [](auto& values) { return reinterpret_cast<std::byte*>(values.data()); };
    const auto bytes_of = [](const auto& values) {
      return reinterpret_cast<const std::byte*>(values.data());
    };
    element_update(Update::by(op), type)(bytes(target), bytes_of(operands), bytes(former), count,
                                         &guard);
    predefined(op, type)(bytes_of(before), bytes_of(operands), bytes(expected), count);
    EXPECT_EQ(target, expected);
    EXPECT_EQ(former, before);
    EXPECT_EQ(guard, 0U);
  }
}

TEST(ElementUpdates, OfAllOperatorsAndTypesAreThoseOfReductions) {
  expect_updates_of<std::int8_t>(ScalarType::int8);
  expect_updates_of<std::int16_t>(ScalarType::int16);
  expect_updates_of<std::int32_t>(ScalarType::int32);
  expect_updates_of<std::int64_t>(ScalarType::int64);
  expect_updates_of<std::uint8_t>(ScalarType::uint8);
  expect_updates_of<std::uint16_t>(ScalarType::uint16);
  expect_updates_of<std::uint32_t>(ScalarType::uint32);
  expect_updates_of<std::uint64_t>(ScalarType::uint64);
  expect_updates_of<float>(ScalarType::float32);
  expect_updates_of<double>(ScalarType::float64);
  expect_updates_of<long double>(ScalarType::long_double);
  expect_updates_of<std::complex<float>>(ScalarType::complex64);
  expect_updates_of<std::complex<double>>(ScalarType::complex128);
}

TEST(TicketLocks, KeepOutWhoHasToWait) {
  LockWords words;
  long plain = 0;  // nothing but the lock keeps threads apart
  std::array<long, 4> seen{};
  by_threads(4, [&](int thread) {
    const TicketLock lock(words);
    for (int i = 0; i < 2000; ++i) {
      const Lock kind = (i + thread) % 3 == 0 ? Lock::shared : Lock::exclusive;
      if (kind == Lock::shared && i % 2 == 0) {
        while (!lock.enter_past_queue()) std::this_thread::yield();
      } else {
        if (i % 5 != 0 || !lock.try_enter(kind)) {
          const std::uint64_t ticket = lock.take();
          while (!lock.enter(ticket, kind)) std::this_thread::yield();
        }
      }
      if (kind == Lock::exclusive)
        ++plain;
      else
        seen[static_cast<std::size_t>(thread)] += plain >= 0 ? 1 : 0;
      lock.leave(kind);
    }
  });
  long shared = 0;
  for (const long count : seen) shared += count;
  EXPECT_EQ(plain + shared, 4 * 2000);
  EXPECT_TRUE(TicketLock(words).is_free());
}

TEST(TicketLocks, AreGivenInTheOrderOfTickets) {
  LockWords words;
  const TicketLock lock(words);
  EXPECT_TRUE(lock.try_enter(Lock::exclusive));
  EXPECT_FALSE(lock.try_enter(Lock::shared));
  lock.leave(Lock::exclusive);
  const auto reader = lock.take(), writer = lock.take(), late_reader = lock.take();
  EXPECT_FALSE(lock.try_enter(Lock::shared));  // others wait
  EXPECT_FALSE(lock.enter(writer, Lock::exclusive));
  EXPECT_TRUE(lock.enter(reader, Lock::shared));
  EXPECT_FALSE(lock.enter(writer, Lock::exclusive));
  EXPECT_FALSE(lock.enter(late_reader, Lock::shared));  // behind somebody who waits
  EXPECT_TRUE(lock.enter_past_queue());
  lock.leave(Lock::shared);
  EXPECT_FALSE(lock.enter(writer, Lock::exclusive));
  lock.leave(Lock::shared);
  EXPECT_TRUE(lock.enter(writer, Lock::exclusive));
  EXPECT_FALSE(lock.enter_past_queue());
  EXPECT_FALSE(lock.enter(late_reader, Lock::shared));
  lock.leave(Lock::exclusive);
  EXPECT_TRUE(lock.enter(late_reader, Lock::shared));
  lock.leave(Lock::shared);
  EXPECT_TRUE(lock.is_free());
}

template <class T>
T sum_by_threads(T one) {
  std::vector<T> target(3);
  std::uint64_t guard = 0;
  const ElementUpdate add = element_update(Update::by(Operator::sum), scalar_type<T>());
  by_threads(4, [&](int) {
    const std::vector<T> values(3, one);
    for (int i = 0; i < 500; ++i)
      add(reinterpret_cast<std::byte*>(target.data()),
          reinterpret_cast<const std::byte*>(values.data()), nullptr, 3, &guard);
  });
  EXPECT_EQ(target[0], target[2]);
  return target[1];
}

TEST(ElementUpdates, AreAtomic) {
  EXPECT_EQ(sum_by_threads<std::int64_t>(1), 2000);
  EXPECT_EQ(sum_by_threads<std::uint8_t>(1), 2000 % 256);
  EXPECT_EQ(sum_by_threads<double>(0.5), 1000);
  EXPECT_EQ(sum_by_threads<long double>(1), 2000);
  EXPECT_EQ(sum_by_threads<std::complex<double>>({1, 2}), std::complex<double>(2000, 4000));
  EXPECT_EQ(sum_by_threads<std::complex<float>>({1, 2}), std::complex<float>(2000, 4000));
}

Epoch epoch_of(EpochKind kind, int target, std::uint64_t opened, std::uint64_t closed) {
  Epoch epoch;
  epoch.kind = kind;
  epoch.opened_at = opened;
  epoch.closed_at = closed;
  epoch.sides.emplace_back().rank = target;
  return epoch;
}

TEST(EpochsTogether, NeedLeaveUnlessTheProgramHeldBothOpen) {
  const Reorder none, all{true, true, true, true};
  using enum EpochKind;
  const Epoch later = epoch_of(access, 1, 10, Epoch::never);
  EXPECT_FALSE(may_join(later, epoch_of(exposure, 1, 1, 5), none, false));
  EXPECT_TRUE(may_join(later, epoch_of(exposure, 1, 1, 12), none, false));  // open at 10
  EXPECT_TRUE(may_join(later, epoch_of(exposure, 1, 1, 5), {.access_after_exposure = true}, false));
  EXPECT_FALSE(may_join(later, epoch_of(access, 2, 1, 5), {.access_after_exposure = true}, false));
  EXPECT_TRUE(may_join(later, epoch_of(access, 2, 1, 5), {.access_after_access = true}, false));
  for (const EpochKind alone : {fence, lock_all}) {
    EXPECT_FALSE(may_join(later, epoch_of(alone, 2, 1, 5), all, false));
    EXPECT_FALSE(may_join(epoch_of(alone, 1, 10, 11), epoch_of(access, 2, 1, 5), all, false));
  }
  const Epoch locks = epoch_of(lock, 1, 10, Epoch::never);
  EXPECT_FALSE(may_join(locks, epoch_of(access, 1, 1, 5), all, false));  // the same rank
  EXPECT_TRUE(may_join(locks, epoch_of(access, 2, 1, 5), all, false));
  EXPECT_FALSE(may_join(locks, epoch_of(lock, 2, 1, 5), none, false));
  EXPECT_TRUE(may_join(locks, epoch_of(lock, 2, 1, 12), none, false));  // both held
  EXPECT_TRUE(may_join(locks, epoch_of(lock, 1, 1, 5), none, false));   // in its turn
  const Epoch exposes = epoch_of(exposure, 1, 10, Epoch::never);
  EXPECT_TRUE(may_join(exposes, epoch_of(exposure, 1, 1, 5), all, false));
  EXPECT_FALSE(may_join(exposes, epoch_of(exposure, 1, 1, 5), all, true));
  EXPECT_TRUE(may_join(exposes, epoch_of(access, 1, 1, 5), {.exposure_after_access = true}, false));
}

TEST(Slices, AreCopiedFromAnyElementOn) {
  const Strides from{.block = 2, .stride = 5, .count = 4}, to{.block = 3, .stride = 4, .count = 3};
  std::vector<int> source(30), target(30, -1);
  for (int i = 0; i < 30; ++i) source[static_cast<std::size_t>(i)] = i;
  copy_slice(reinterpret_cast<const std::byte*>(source.data()), from, 1,
             reinterpret_cast<std::byte*>(target.data()), to, 2, 6, sizeof(int));
  EXPECT_EQ(target[2], 1);
  EXPECT_EQ(target[3], -1);
  EXPECT_EQ(target[4], 5);
  EXPECT_EQ(target[5], 6);
  EXPECT_EQ(target[6], 10);
  EXPECT_EQ(target[8], 11);
  EXPECT_EQ(target[9], 15);
  EXPECT_EQ(target[10], -1);
}

}  // namespace
}  // namespace cartwright::comm
