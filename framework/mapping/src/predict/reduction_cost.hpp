// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/plan/models/machine.hpp>

namespace cartwright::mapping {

struct RanksOnNodes {
  int ranks = 1;
  long long nodes = 1;
  int on_node = 1;  ///< of a full one
};

/// Seconds of one collective, when all ranks come at the same time.
[[nodiscard]] double collective_time(const CollectiveKind& kind, const plan::Machine& machine,
                                     const RanksOnNodes& ranks, Transport transport);

/// Seconds of a step's collectives, when all ranks come at the same time: by the rounds of the
/// schedules that would carry them out.
[[nodiscard]] double reduction_time(const StepProfile& profile, const plan::Machine& machine,
                                    const RanksOnNodes& ranks, Transport transport);

}  // namespace cartwright::mapping
