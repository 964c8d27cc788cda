// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace cartwright::bench {

/// What this process has computed until now: others may use the machine, too.
[[nodiscard]] inline double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace cartwright::bench
