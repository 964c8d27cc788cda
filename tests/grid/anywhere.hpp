// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/space/random_number.hpp>
#include <cstdint>

namespace cartwright::grid::test {

using Place = std::array<double, 3>;

/// Somewhere in the grid, the same for everybody.
inline Place anywhere(const GridBase& grid, std::uint64_t seed, long long identity) {
  Place place{};
  for (int axis = 0; axis < grid.dimensions(); ++axis)
    place[static_cast<std::size_t>(axis)] =
        grid.origin(axis) +
        grid.length(axis) * random_number(seed, static_cast<std::uint64_t>(3 * identity + axis));
  return place;
}

}  // namespace cartwright::grid::test
