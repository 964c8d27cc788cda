// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "curves.hpp"

namespace cartwright::command {

[[nodiscard]] std::string scaling_json(const mapping::StepProfile& profile,
                                       const plan::Machine& machine,
                                       const std::vector<ScalingCurves>& all);
[[nodiscard]] std::string scaling_csv(const std::vector<ScalingCurves>& all);
/// Seconds of a step over ranks, a panel for each kind of scaling, as SVG.
[[nodiscard]] std::string scaling_picture(const mapping::StepProfile& profile,
                                          const plan::Machine& machine,
                                          const std::vector<ScalingCurves>& all);

}  // namespace cartwright::command
