// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace cartwright::grid {

/// Red, green and blue, 0 … 1, of the perceptually uniform map "viridis" at `position` in 0 … 1.
[[nodiscard]] std::array<double, 3> viridis(double position);

}  // namespace cartwright::grid
