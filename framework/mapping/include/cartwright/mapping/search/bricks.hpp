// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// Balanced bricks that need not divide the grid: along `axes[0]` the grid is cut into `groups[0]`
/// slabs of whole nodes, each along `axes[1]` into columns of whole nodes, and so on; along the
/// last axis each column into nodes. A cut that doesn't fall between two layers runs through one
/// as a step, so that every node gets just its number of positions.
struct Bricks {
  std::vector<std::size_t> axes;
  std::vector<int> groups;  ///< one less than axes: in how many parts slabs and columns are cut
  /// "bricks, 5 parts along y".
  [[nodiscard]] std::string describe() const;
};

[[nodiscard]] NodeMap lay_bricks(const GridShape& shape, std::span<const int> node_sizes,
                                 const Bricks& bricks);

/// Bricks worth trying: every order of the (at most three) longest axes, numbers of groups around
/// those of a cube. At most a few hundred.
[[nodiscard]] std::vector<Bricks> brick_candidates(const GridShape& shape, int node_count,
                                                   const std::vector<double>& weights = {});

}  // namespace cartwright::mapping
