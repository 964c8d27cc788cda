// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>

namespace cartwright::rt {

/// Memory that this process could still use, as far as Linux tells.
struct MemoryRoom {
  std::size_t bytes = 0;  ///< of the machine, or of the container or batch job, if it has less
  /// Pages that were reserved without being touched may be refused later (vm.overcommit_memory 2).
  bool reserving_is_no_promise = false;
};

/// Looks at MemAvailable and at the limits of this process's control groups (versions 1 and 2).
/// Where nothing is known there is room for everything. `root`: for tests.
[[nodiscard]] MemoryRoom memory_room(const std::filesystem::path& root = "/");

/// For those who ask often, as a look reads a dozen files (half a millisecond): one look does for a
/// while, as long as little of what it saw is asked for.
class RecentMemoryRoom {
 public:
  /// Room before these bytes are taken.
  [[nodiscard]] MemoryRoom before(std::size_t bytes, const std::filesystem::path& root = "/");

 private:
  MemoryRoom seen_;
  std::size_t asked_for_ = 0;  // since
  std::chrono::steady_clock::time_point at_;
};

}  // namespace cartwright::rt
