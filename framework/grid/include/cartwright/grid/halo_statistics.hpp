// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::grid {

/// What this rank's halo exchanges have amounted to, for the report.
struct HaloStatistics {
  std::int64_t exchanges = 0;
  std::int64_t messages_on_node = 0, messages_off_node = 0;  ///< sent
  std::int64_t bytes_on_node = 0, bytes_off_node = 0;        ///< sent
  double overlapped_seconds = 0.0;  ///< computing while messages were in flight
  double waited_seconds = 0.0;      ///< doing nothing but waiting for messages
};

}  // namespace cartwright::grid
