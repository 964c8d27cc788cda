// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cartwright/grid/run/field_base.hpp>

#include "../space/place_text.hpp"

namespace cartwright::grid {

/// In words: "cell (3, 4), at x, y = (0.35, 0.45)", or "particle 17".
[[nodiscard]] inline std::string place_text(const GridDescription& grid, const FieldBase& field,
                                            const std::array<long long, 3>& point) {
  return field.positions() != nullptr ? fmt::format("particle {}", point[0])
                                      : place_text(grid, field.centring(), point);
}

}  // namespace cartwright::grid
