// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace cartwright::grid {

/// A grid as files and pictures know it: plain numbers, no communicator.
struct GridDescription {
  int dimensions = 1;
  std::array<long long, 3> extent{1, 1, 1};  ///< cells of the whole grid; 1 along unused axes
  std::array<double, 3> length{1, 1, 1};     ///< in `length_unit`
  std::array<double, 3> origin{0, 0, 0};     ///< in `length_unit`
  std::array<bool, 3> periodic{false, false, false};
  std::string length_unit = "m";

  [[nodiscard]] double spacing(int axis) const {
    const auto i = static_cast<std::size_t>(axis);
    return length[i] / static_cast<double>(extent[i]);
  }
};

}  // namespace cartwright::grid
