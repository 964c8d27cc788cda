// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// How many faces of a rank, and of all ranks of a node, lead where: of the ones that have most, so
/// that nothing grows with the number of ranks. By axis.
struct Surroundings {
  std::vector<int> off_node;           ///< faces of a rank to other nodes
  std::vector<int> on_node;            ///< its other faces to other ranks
  std::vector<long long> node_out;     ///< faces of a node to other nodes
  std::vector<long long> node_inside;  ///< faces of its ranks to each other, both ways
  std::string mapping;                 ///< "ranks in their order", "tiles of 4 x 4 x 4"
};

/// Of ranks that fill nodes of `node_size` in their order (as MPI numbers them), or, `remapped`, of
/// tiles (see tile.hpp) where these fit and have fewer faces. `weights`: bytes of a face across
/// each axis. Counted on nodes that are spread over the grid: exact where all nodes are alike.
[[nodiscard]] Surroundings surroundings(const GridShape& shape, int node_size, bool remapped,
                                        const std::vector<double>& weights);

}  // namespace cartwright::mapping
