// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <span>
#include <vector>

namespace cartwright::mapping {

// Orders in which the positions of a grid may be dealt out to nodes one after another, each a
// permutation of 0 … positions - 1. O(positions) memory; strips (LocalityOrder) and tiles do
// without. Hunold et al. 2020 (Efficient Process-to-Node Mapping Algorithms for Stencil
// Computations) describe the ideas of hyperplanes and of the k-d tree.

/// Cut the grid by a plane into two boxes that both hold whole nodes of `node_size`, near the
/// middle of the longest axis (of the next axis where none fits), again and again; rows where no
/// plane is left.
[[nodiscard]] std::vector<int> hyperplane_order(const GridShape& shape, int node_size,
                                                const std::vector<double>& weights = {});

/// Halve the longest axis, again and again, whatever the size of nodes.
[[nodiscard]] std::vector<int> kd_order(const GridShape& shape,
                                        const std::vector<double>& weights = {});

/// Hilbert's curve through the smallest cube of 2^b positions a side that holds the grid, without
/// the positions outside. Any extents, any number of axes.
[[nodiscard]] std::vector<int> hilbert_order(const GridShape& shape);

}  // namespace cartwright::mapping
