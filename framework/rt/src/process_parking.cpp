// SPDX-License-Identifier: Apache-2.0
#include "process_parking.hpp"

#include <atomic>
#include <mutex>
#include <vector>

namespace cartwright::rt {

namespace {

/// A process sleeps in one place, whatever communicators it has; threads may wait in places that
/// were left, so that none is unmapped. There are few, as each has more ranks than the one before.
struct Parkings {
  std::mutex mutex;
  std::vector<ProcessParking> all;
  std::atomic<ParkingPlace*> place{nullptr};
  std::atomic<int> ranks{1};
};

Parkings& parkings() {
  static auto* const made = new Parkings;  // a thread may outlive static objects
  return *made;
}

}  // namespace

ProcessParking process_parking() {
  Parkings& known = parkings();
  const std::scoped_lock lock(known.mutex);
  return known.all.empty() ? ProcessParking{} : known.all.back();
}

void offer_parking(const ProcessParking& parking) {
  Parkings& known = parkings();
  const std::scoped_lock lock(known.mutex);
  if (!known.all.empty() && known.all.back().memory->members() >= parking.memory->members()) return;
  known.all.push_back(parking);
  known.ranks.store(parking.memory->members(), std::memory_order_relaxed);
  known.place.store(parking.place, std::memory_order_release);
}

ParkingPlace* parking_place() noexcept {
  return parkings().place.load(std::memory_order_acquire);
}

int ranks_that_park() noexcept {
  return parkings().ranks.load(std::memory_order_relaxed);
}

}  // namespace cartwright::rt
