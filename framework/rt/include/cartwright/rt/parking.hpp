// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace cartwright::rt {

/// Where a rank sleeps while it waits, in memory that the ranks of its node share: a word that says
/// whether it does. Zero in the beginning.
class alignas(64) ParkingPlace {
 public:
  /// Its owner is about to sleep, and looks once more at what it waits for: from now on it is
  /// woken.
  void announce() noexcept { sleeps_.store(1, std::memory_order_seq_cst); }
  /// … until somebody wakes it, or has since it was announced; so long at most.
  void sleep(std::chrono::nanoseconds limit) noexcept;
  void leave() noexcept { sleeps_.store(0, std::memory_order_relaxed); }

  [[nodiscard]] bool is_taken() const noexcept {
    return sleeps_.load(std::memory_order_relaxed) != 0;
  }
  void wake() noexcept;

 private:
  std::atomic<std::uint32_t> sleeps_{0};
};

/// Wakes one rank of the node where it sleeps: for whoever has stored something that it may wait
/// for. One load where it doesn't sleep. A moment may be missed, in which it falls asleep: a sleep
/// is short anyway, so that nothing is lost but time.
class Waker {
 public:
  /// Of a rank that can't be woken.
  Waker() = default;
  explicit Waker(ParkingPlace& place) noexcept : place_(&place) {}

  void wake() const noexcept {
    if (place_ != nullptr && place_->is_taken()) place_->wake();
  }

 private:
  ParkingPlace* place_ = nullptr;
};

}  // namespace cartwright::rt
