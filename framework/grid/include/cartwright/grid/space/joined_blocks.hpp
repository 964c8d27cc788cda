// SPDX-License-Identifier: Apache-2.0
// Blocks of neighbouring ranks that become one: for grids with too few cells for all ranks.
#pragma once

#include <cartwright/grid/space/grid_spec.hpp>
#include <vector>

namespace cartwright::grid {

/// Along each axis the numbers of the blocks that a group of neighbours begins with, from 0 on; the
/// rank of the first block of a group along every axis gets all of its cells.
using BlockGroups = std::vector<std::vector<int>>;

/// Along each axis, for each cut between two blocks (one fewer than blocks), how many pairs of
/// neighbouring ranks it parts that are on different nodes.
using OffNodePairs = std::vector<std::vector<long long>>;

/// The groups by which every rank that is left has `least` cells or more on average, where that is
/// possible, and none has no cells. Pairs of blocks are joined where most of them share a node,
/// then along the axis on which blocks are shortest. `cuts` begin with a block that isn't empty.
[[nodiscard]] BlockGroups joined_blocks(const Cuts& cuts, const OffNodePairs& off_node,
                                        long long least);

/// The cuts that are left.
[[nodiscard]] Cuts joined_cuts(const Cuts& cuts, const BlockGroups& groups);

/// How many ranks have cells.
[[nodiscard]] long long count_of(const BlockGroups& groups);

}  // namespace cartwright::grid
