// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/volume/camera.hpp>
#include <cartwright/grid/space/grid_spec.hpp>
#include <span>
#include <vector>

namespace cartwright::grid {

/// For each axis the slabs between the grid's cuts, nearest first: no ray meets a later one before
/// an earlier one. Seen from within a perspective that is the eye's own slab, then those on each
/// side of it.
[[nodiscard]] std::vector<std::vector<int>> slabs_by_depth(const Camera& camera,
                                                           const GridDescription& grid,
                                                           const Cuts& cuts);

/// The ranks of a process grid (rank x + p (y + q z) at (x, y, z)) by the order of their blocks
/// along each axis: no ray meets a later one before an earlier one.
[[nodiscard]] std::vector<int> ranks_by_depth(const std::vector<std::vector<int>>& slabs);

}  // namespace cartwright::grid
