// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/plan/models/machine.hpp>

#include "reduction_cost.hpp"

namespace cartwright::mapping {

/// Seconds of a step in which ranks wait for positions and sums of each other's particles, of which
/// there are `more` times as many. What goes round is under way beside `kernels`, those of a step
/// in seconds.
[[nodiscard]] double pair_time(const PairTraffic& pairs, double more, const plan::Machine& machine,
                               const RanksOnNodes& ranks, Transport transport, double kernels);

/// How often a rank waits for others in a step.
[[nodiscard]] double pair_waits(const PairTraffic& pairs, int ranks);

}  // namespace cartwright::mapping
