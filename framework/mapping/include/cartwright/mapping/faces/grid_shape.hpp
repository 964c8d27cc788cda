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
  /// Product of dims.
  [[nodiscard]] long long size() const noexcept;  ///< LLONG_MAX if larger
  [[nodiscard]] int rank_of(const std::vector<int>& coordinates) const noexcept;
  [[nodiscard]] std::vector<int> coordinates_of(int rank) const;
  /// Moves along `axis`, around the end if periodic; false (unmoved) beyond a physical face.
  [[nodiscard]] bool move(std::vector<int>& coordinates, std::size_t axis, int offset) const;
  /// Pairs (rank, its successor along an axis) with two different ranks, wrap-around pairs
  /// included.
  [[nodiscard]] long long faces() const noexcept;
};

/// "4 x 2 x 1".
[[nodiscard]] std::string to_text(const std::vector<int>& dims);

}  // namespace cartwright::mapping
