// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>

namespace cartwright::bench {

/// What a call costs more when it is watched, and what two readings of the clock cost, in s.
struct WatchingCost {
  double of_call = 0;
  double of_stamps = 0;
};

/// Collective. Each rank by itself, with calls that do nothing; rank 0's figures.
[[nodiscard]] WatchingCost measure_watching(const rt::Communicator& world);

}  // namespace cartwright::bench
