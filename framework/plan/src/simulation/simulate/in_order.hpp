// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>

#include "compact.hpp"

namespace cartwright::plan::simulation {

/// When each rank finishes, and the steps in between where a timeline is wanted.
struct Outcome {
  std::vector<Picoseconds> finish;
  std::vector<TimelineStep> steps;
};

/// Runs steps as listed. Nothing but messages couples ranks (and channels, where messages share
/// them), so that a rank runs ahead until it misses a message; only channels need an order of time.
Outcome run_in_order(const CompactSchedules& schedules, const SimulationOptions& options);

[[noreturn]] void throw_waits(int rank, const CompactStep& step);

}  // namespace cartwright::plan::simulation
