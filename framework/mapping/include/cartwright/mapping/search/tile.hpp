// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// The shape of the block of grid positions that one node of `node_size` ranks gets, so that the
/// fewest faces lead off the node (Karlsson 2012, Alg. 5.11, extended to any number of axes,
/// wrap-around and weights). Each extent divides that of the grid. `weights`: cost of a face across
/// each axis; empty means 1. Of equal tiles the one with the smallest extents along the first axes.
/// Nothing if `node_size` doesn't divide the number of ranks.
[[nodiscard]] std::optional<std::vector<int>> choose_tile(const GridShape& shape, int node_size,
                                                          const std::vector<double>& weights = {});

/// Weighted faces between tiles, of the whole grid and exactly: n A_i - P / p_i along a bounded
/// axis (n tiles with A_i = product of the other extents; P ranks, p_i of them along the axis), n
/// A_i along a periodic one, and none along a periodic axis that the tile spans.
[[nodiscard]] double tile_faces(const GridShape& shape, const std::vector<int>& tile,
                                const std::vector<double>& weights = {});

/// Node after node, each a full tile (Karlsson 2012, Alg. 5.12): slots and coordinates, in
/// O(dimensions) without any table. A tile may hold smaller tiles, for instance of one L3 cache
/// each, which then follow one another.
class TileOrder {
 public:
  TileOrder(GridShape shape, std::vector<int> tile);
  /// `tiles`: outermost first; the extents of each divide those of the one before (or of the grid).
  TileOrder(GridShape shape, std::vector<std::vector<int>> tiles);
  [[nodiscard]] std::vector<int> coordinates(int slot) const;
  [[nodiscard]] int slot(const std::vector<int>& coordinates) const;
  /// The outermost one: that of a node.
  [[nodiscard]] const std::vector<int>& tile() const noexcept { return tiles_.front(); }
  /// "tiles of 4 x 4, in them 2 x 2".
  [[nodiscard]] std::string describe() const;

 private:
  GridShape shape_;
  std::vector<std::vector<int>> tiles_;
};

}  // namespace cartwright::mapping
