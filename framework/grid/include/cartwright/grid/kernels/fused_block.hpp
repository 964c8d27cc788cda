// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/space/box.hpp>
#include <vector>

namespace cartwright::grid {

/// A block of which several steps are made at once: step s (1 … steps) computes more points than
/// the block owns, by what the steps behind it will reach; beyond walls it computes nothing.
template <int D>
struct FusedBlock {
  Box<D> owned;
  int reach;  ///< how far a point looks in one step, along each axis
  int steps;
  bool is_wall[std::size_t{2} * D];  ///< by face: ghosts there follow from the values inside

  /// What step `step` computes, so that the last one has all of `part`, a part of the block.
  [[nodiscard]] Box<D> box_of(const Box<D>& part, int step) const {
    const int more = (steps - step) * reach;
    Box<D> box = part;
    for (int axis = 0; axis < D; ++axis) {
      box.lower[axis] -= more;
      box.upper[axis] += more;
      if (is_wall[2 * axis]) box.lower[axis] = std::max(box.lower[axis], owned.lower[axis]);
      if (is_wall[2 * axis + 1]) box.upper[axis] = std::min(box.upper[axis], owned.upper[axis]);
    }
    return box;
  }
  /// True if a box that a step computes lies at this wall.
  [[nodiscard]] bool is_at_wall(const Box<D>& box, int face) const {
    const int axis = face / 2;
    return is_wall[face] && (face % 2 == 0 ? box.lower[axis] == owned.lower[axis]
                                           : box.upper[axis] == owned.upper[axis]);
  }
};

/// What the planes that steps keep may take of a core's own cache, and along what parts are cut.
struct FusedTiling {
  std::size_t cache_bytes;    ///< of a core
  std::size_t element_bytes;  ///< of a point
  int threads;
};

/// Parts of the block that fit: as many planes of them as steps keep, cut across all axes but the
/// last, which is cut for threads only. In a fixed order, all of the block.
template <int D>
[[nodiscard]] std::vector<Box<D>> parts_of(const FusedBlock<D>& block, const FusedTiling& tiling);

extern template std::vector<Box<1>> parts_of(const FusedBlock<1>& block, const FusedTiling& tiling);
extern template std::vector<Box<2>> parts_of(const FusedBlock<2>& block, const FusedTiling& tiling);
extern template std::vector<Box<3>> parts_of(const FusedBlock<3>& block, const FusedTiling& tiling);

}  // namespace cartwright::grid
