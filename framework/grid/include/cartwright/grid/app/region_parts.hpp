// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/run_prediction.hpp>
#include <optional>
#include <string_view>

namespace cartwright::grid {

/// Which part of a step the region `region` of a report's table of times belongs to; nothing if
/// that is before or after the steps. What the framework has no name for is the solver's own, such
/// as forces, and so a kernel.
[[nodiscard]] std::optional<mapping::RunPart> part_of_region(std::string_view region);

}  // namespace cartwright::grid
