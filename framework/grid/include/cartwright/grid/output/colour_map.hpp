// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace cartwright::grid {

/// Red, green and blue, 0 … 1, of the perceptually uniform map "viridis" at `position` in 0 … 1.
[[nodiscard]] std::array<double, 3> viridis(double position);

/// Of a map by its name: "viridis", "fire", "ice", "grey", or "cool_warm", which is light in the
/// middle and for values of both signs.
[[nodiscard]] std::array<double, 3> named_colour(std::string_view name, double position);

}  // namespace cartwright::grid
