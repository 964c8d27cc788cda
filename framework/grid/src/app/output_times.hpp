// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <string>

namespace cartwright::grid {

/// What is due between steps, how often, and how long it takes. `results`: the directory of the
/// run's results, whose report says how long it took before. Sets outputs and output_source.
void add_output_times(const RunRequest& request, const SolverEntry& solver, const Sample& sample,
                      const std::string& results, mapping::StepProfile& profile);

}  // namespace cartwright::grid
