// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/rt/log.hpp>

namespace cartwright::grid {

/// How long the run will take, by part, as entries of the plan.
void say_prediction(rt::Log& log, const mapping::StepProfile& profile, const plan::Machine& machine,
                    const mapping::PredictedRun& run);

}  // namespace cartwright::grid
