// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/parking.hpp>
#include <thread>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>
#endif

namespace cartwright::rt {

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

}  // namespace cartwright::rt
