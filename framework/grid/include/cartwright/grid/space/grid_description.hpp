// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/block.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace cartwright::grid {

/// A grid as files and pictures know it: plain numbers, no communicator.
struct GridDescription {
  int dimensions = 1;
  std::array<long long, 3> extent{1, 1, 1};  ///< cells of the whole grid; 1 along unused axes
  std::array<double, 3> length{1, 1, 1};     ///< in `length_unit`
  std::array<double, 3> origin{0, 0, 0};     ///< in `length_unit`
  std::array<bool, 3> periodic{false, false, false};
  std::string length_unit = "m";
  /// Where cells begin and, one more, where the last one ends; empty: all have the same width.
  std::array<std::vector<double>, 3> edges{};

  [[nodiscard]] bool is_stretched(int axis) const {
    return !edges[static_cast<std::size_t>(axis)].empty();
  }
  [[nodiscard]] bool is_stretched() const {
    return is_stretched(0) || is_stretched(1) || is_stretched(2);
  }
  /// Of cells; where they are stretched, the mean.
  [[nodiscard]] double spacing(int axis) const {
    const auto i = static_cast<std::size_t>(axis);
    return length[i] / static_cast<double>(extent[i]);
  }
  /// Of the smallest cell.
  [[nodiscard]] double least_spacing(int axis) const;
  /// Where a point is along `axis`, from its global number. Beyond the ends cells are those at the
  /// other end of a periodic axis, and mirror images otherwise.
  [[nodiscard]] double position(int axis, Centring centring, long long point) const;
  /// How much of the axis is nearest to an owned point, in mean spacings: 1 where cells are equal.
  [[nodiscard]] double relative_width(int axis, Centring centring, long long point) const;
};

/// Throws an input error unless the edges of each stretched axis are one more than its cells, rise,
/// and span origin to origin + length.
void require_edges(const GridDescription& grid);

}  // namespace cartwright::grid
