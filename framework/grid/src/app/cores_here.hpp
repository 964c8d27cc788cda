// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace cartwright::grid {

/// Of one core when 1, 2, … cores of this machine compute, as a multiple of the first: less than 1
/// where two are threads of one core, where the clock sinks, or where others compute besides.
[[nodiscard]] std::vector<double> measured_core_speeds();

/// Two ranks on each core, who wait in the way that ranks wait.
struct SharedCores {
  /// What a wait costs beyond the computing of others, in s: four threads on two cores, say,
  /// compute for a while and then wait for their neighbours, again and again.
  double wait_seconds = 0.0;
  /// How many times as long one computes while all others wait for it.
  double beside_waiting = 1.0;
};
[[nodiscard]] SharedCores measured_shared_cores();

}  // namespace cartwright::grid
