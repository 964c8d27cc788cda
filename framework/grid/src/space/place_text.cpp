// SPDX-License-Identifier: Apache-2.0
#include "place_text.hpp"

#include <fmt/format.h>

namespace cartwright::grid {

std::string place_text(const GridDescription& grid, Centring centring,
                       const std::array<long long, 3>& point) {
  const double shift = centring == Centring::cell ? 0.5 : 0.0;
  std::string numbers, position;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const char* comma = axis == 0 ? "" : ", ";
    numbers += fmt::format("{}{}", comma, point[i]);
    position +=
        fmt::format("{}{:.6g}", comma,
                    grid.origin[i] + (static_cast<double>(point[i]) + shift) * grid.spacing(axis));
  }
  return fmt::format(
      "{} ({}), at {} = ({})", centring == Centring::cell ? "cell" : "node", numbers,
      std::string("x, y, z").substr(0, static_cast<std::size_t>(3 * grid.dimensions - 2)),
      position);
}

}  // namespace cartwright::grid
