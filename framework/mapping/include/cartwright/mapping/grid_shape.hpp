// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// The shape of a process grid. Axis 0 is x and the fastest: the rank at (x, y, z) of a grid with
/// dims (p, q, r) is x + p (y + q z). (MPI's Cartesian topologies count the other way round.)
struct GridShape {
  std::vector<int> dims;
  std::vector<bool> periodic;

  [[nodiscard]] int dimensions() const noexcept { return static_cast<int>(dims.size()); }
  /// Product of dims, without overflow.
  [[nodiscard]] long long size() const noexcept;
  [[nodiscard]] int rank_of(const std::vector<int>& coordinates) const noexcept;
  [[nodiscard]] std::vector<int> coordinates_of(int rank) const;
  /// Moves one step (-1 or +1) along `axis`, around the end if periodic; false at a physical face.
  [[nodiscard]] bool step(std::vector<int>& coordinates, std::size_t axis, int direction) const;
  /// Pairs (rank, its successor along an axis) with two different ranks, wrap-around pairs
  /// included.
  [[nodiscard]] long long faces() const noexcept;
};

/// "4 x 2 x 1".
[[nodiscard]] std::string to_text(const std::vector<int>& dims);

}  // namespace cartwright::mapping
