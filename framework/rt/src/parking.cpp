// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/lease.hpp>
#include <cartwright/rt/parking.hpp>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>
#endif

namespace cartwright::rt {

namespace {

/// A process sleeps in one place, whatever communicators it has; threads may wait in places that
/// were left, so that none is unmapped. There are few, as each has more ranks than the one before.
struct Parkings {
  std::mutex mutex;
  std::vector<Parking> all;
  std::atomic<ParkingPlace*> place{nullptr};
};

Parkings& parkings() {
  static auto* const made = new Parkings;  // a thread may outlive static objects
  return *made;
}

}  // namespace

#if defined(__linux__)

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

void ParkingPlace::sleep(std::chrono::nanoseconds limit) noexcept {
  constexpr long second = 1'000'000'000;
  const timespec duration{static_cast<std::time_t>(limit.count() / second), limit.count() % second};
  if (::syscall(SYS_futex, &sleeps_, FUTEX_WAIT, 1, &duration, nullptr, 0) != 0 &&
      errno != EAGAIN && errno != ETIMEDOUT && errno != EINTR)
    std::this_thread::sleep_for(limit);  // a system that can't: then nobody is woken
  leave();
}

void ParkingPlace::wake() noexcept {
  if (sleeps_.exchange(0, std::memory_order_relaxed) != 0)
    (void)::syscall(SYS_futex, &sleeps_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

#else

void ParkingPlace::sleep(std::chrono::nanoseconds limit) noexcept {
  std::this_thread::sleep_for(limit);
  leave();
}

void ParkingPlace::wake() noexcept {}

#endif

Parking parking() {
  Parkings& known = parkings();
  const std::scoped_lock lock(known.mutex);
  return known.all.empty() ? Parking{} : known.all.back();
}

void offer_parking(const Parking& parking, ParkingPlace& place) {
  Parkings& known = parkings();
  const std::scoped_lock lock(known.mutex);
  if (!known.all.empty() && known.all.back().ranks >= parking.ranks) return;
  known.all.push_back(parking);
  known.place.store(&place, std::memory_order_release);
}

ParkingPlace* parking_place() noexcept {
  return parkings().place.load(std::memory_order_acquire);
}

}  // namespace cartwright::rt
