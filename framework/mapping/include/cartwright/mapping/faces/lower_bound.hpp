// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <span>
#include <vector>

namespace cartwright::mapping {

/// No mapping leaves fewer faces (or fewer messages of hierarchical line trees) between nodes of
/// these sizes. By Loomis and Whitney a set of k positions has shadows along the axes that add up
/// to d k^((d-1)/d) at least, and a line that meets q nodes is cut q - 1 times (q times around a
/// periodic axis, unless one node owns the ring). Axes of one position don't count as dimensions.
[[nodiscard]] long long faces_lower_bound(const GridShape& shape, std::span<const int> node_sizes);

/// The same with weights, and sharper: shadows are whole numbers, no larger than the grid allows.
/// Equal to or above `faces_lower_bound` where weights are 1. The search stops here.
[[nodiscard]] double sharp_lower_bound(const GridShape& shape, std::span<const int> node_sizes,
                                       const std::vector<double>& weights = {});

}  // namespace cartwright::mapping
