// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "curves.hpp"

namespace cartwright::command {

/// What was measured, the tables, and where they bend, on standard output.
void print_scaling(const mapping::StepProfile& profile, const plan::Machine& machine,
                   const std::vector<ScalingCurves>& all);

}  // namespace cartwright::command
