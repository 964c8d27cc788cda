// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/lease.hpp>
#include <cartwright/rt/parking.hpp>
#include <cstdint>
#include <memory>

namespace cartwright::rt {

/// Where this process sleeps, and who may know it: those that have the same memory.
struct ProcessParking {
  std::shared_ptr<const Lease> memory;  ///< of the ranks that see each other's places
  std::uint64_t id = 0;                 ///< of that memory, alike on all of them; 0: none
  ParkingPlace* place = nullptr;        ///< of this rank in it
};

/// Which it is at present.
[[nodiscard]] ProcessParking process_parking();
/// From now on it is that one, if more ranks share it than the present one: whoever knows the
/// former one wakes nobody any more.
void offer_parking(const ProcessParking& parking);
/// The place itself, or null: then nobody can wake this process. Never given back.
[[nodiscard]] ParkingPlace* parking_place() noexcept;
/// How many ranks see it, this one among them.
[[nodiscard]] int ranks_that_park() noexcept;

}  // namespace cartwright::rt
