// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <string>

namespace cartwright::grid {

/// "0.5, 0.25": of a grid with so many axes.
[[nodiscard]] std::string position_text(const std::array<double, 3>& position, int dimensions);

/// A point in words: "cell (16, 0), at x, y = (0.515625, 0.015625)".
[[nodiscard]] std::string place_text(const GridDescription& grid, Centring centring,
                                     const std::array<long long, 3>& point);

/// The number of a point in global memory order, and back.
[[nodiscard]] constexpr long long number_of(const Block& block,
                                            const std::array<long long, 3>& point) {
  return point[0] + block.global[0] * (point[1] + block.global[1] * point[2]);
}
[[nodiscard]] constexpr std::array<long long, 3> place_of(const Block& block, long long number) {
  return {number % block.global[0], number / block.global[0] % block.global[1],
          number / (block.global[0] * block.global[1])};
}

}  // namespace cartwright::grid
