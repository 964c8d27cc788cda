// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/ticks.hpp>
#include <chrono>
#include <cstdint>

namespace cartwright::comm {

/// Where a rank reads the time, in ns: its monotonic clock, or what a test says.
struct TimeSource {
  using Read = std::int64_t (*)(const void* state);

  Read read = [](const void* /*state*/) -> std::int64_t {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(rt::now().time_since_epoch())
        .count();
  };
  const void* state = nullptr;

  [[nodiscard]] std::int64_t now() const { return read(state); }
};

}  // namespace cartwright::comm
