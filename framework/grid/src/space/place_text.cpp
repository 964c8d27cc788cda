// SPDX-License-Identifier: Apache-2.0
#include "place_text.hpp"

#include <fmt/format.h>

#include <span>

namespace cartwright::grid {
namespace {

const char* what_is_at(Centring centring) {
  if (centring == Centring::cell) return "cell";
  return centring == Centring::node ? "node" : "face";
}

}  // namespace

std::string position_text(const std::array<double, 3>& position, int dimensions) {
  return fmt::format(
      "{:.6g}", fmt::join(std::span(position).first(static_cast<std::size_t>(dimensions)), ", "));
}

std::string place_text(const GridDescription& grid, Centring centring,
                       const std::array<long long, 3>& point) {
  std::array<double, 3> position{};
  for (int axis = 0; axis < grid.dimensions; ++axis)
    position[static_cast<std::size_t>(axis)] =
        grid.position(axis, centring, point[static_cast<std::size_t>(axis)]);
  const std::string numbers = fmt::format(
      "{}", fmt::join(std::span(point).first(static_cast<std::size_t>(grid.dimensions)), ", "));
  return fmt::format(
      "{} ({}), at {} = ({})", what_is_at(centring), numbers,
      std::string("x, y, z").substr(0, static_cast<std::size_t>(3 * grid.dimensions - 2)),
      position_text(position, grid.dimensions));
}

}  // namespace cartwright::grid
