// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "in_order.hpp"

namespace cartwright::plan::simulation {

/// Runs steps as listed, by the rules of log_gops.hpp.
Outcome run_log_gops(const CompactSchedules& schedules, const SimulationOptions& options);

}  // namespace cartwright::plan::simulation
