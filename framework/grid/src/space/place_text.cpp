// SPDX-License-Identifier: Apache-2.0
#include "place_text.hpp"

#include <fmt/format.h>

namespace cartwright::grid {
namespace {

const char* what_is_at(Centring centring) {
  if (centring == Centring::cell) return "cell";
  return centring == Centring::node ? "node" : "face";
}

}  // namespace

std::string place_text(const GridDescription& grid, Centring centring,
                       const std::array<long long, 3>& point) {
  std::string numbers, position;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const char* comma = axis == 0 ? "" : ", ";
    numbers += fmt::format("{}{}", comma, point[i]);
    position += fmt::format("{}{:.6g}", comma, grid.position(axis, centring, point[i]));
  }
  return fmt::format(
      "{} ({}), at {} = ({})", what_is_at(centring), numbers,
      std::string("x, y, z").substr(0, static_cast<std::size_t>(3 * grid.dimensions - 2)),
      position);
}

}  // namespace cartwright::grid
