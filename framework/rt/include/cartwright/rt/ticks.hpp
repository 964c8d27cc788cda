// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace cartwright::rt {

/// Local monotonic time. Clocks of several ranks are kept in step by `comm`, not here.
using Ticks = std::chrono::steady_clock::time_point;

[[nodiscard]] inline Ticks now() noexcept {
  return std::chrono::steady_clock::now();
}

[[nodiscard]] inline double seconds_between(Ticks begin, Ticks end) noexcept {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace cartwright::rt
