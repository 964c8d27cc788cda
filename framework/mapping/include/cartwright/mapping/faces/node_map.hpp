// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <span>
#include <vector>

namespace cartwright::mapping {

/// Which node holds each position of a process grid: what every judgement of a mapping starts from.
/// Takes O(positions) memory, so it is for judging, searching and drawing; the tiled path never
/// builds one.
struct NodeMap {
  GridShape shape;
  std::vector<int> nodes;  ///< by GridShape::rank_of(coordinates); numbered 0 … node_count - 1
  int node_count = 0;

  /// Positions on each node.
  [[nodiscard]] std::vector<int> sizes() const;
};

/// The map of ranks that keep their numbers and fill nodes of `node_sizes` one after another.
[[nodiscard]] NodeMap fill_in_order(const GridShape& shape, std::span<const int> node_sizes);

/// Positions that are visited in `order` fill nodes of `node_sizes` one after another: node 0
/// first, or in the sequence `nodes`.
[[nodiscard]] NodeMap fill_along(const GridShape& shape, std::span<const int> order,
                                 std::span<const int> node_sizes, std::span<const int> nodes = {});

/// The neighbours of every position, both ways along every axis, and the cost of a face across each
/// axis. A face around a periodic axis of two positions counts twice, as in GridShape::faces.
class FaceTable {
 public:
  /// `weights`: empty means 1 along each axis.
  explicit FaceTable(const GridShape& shape, std::vector<double> weights = {});
  /// The part of the table between `members` alone, renumbered 0 … in their order.
  [[nodiscard]] FaceTable within(std::span<const int> members) const;
  [[nodiscard]] int positions() const noexcept { return positions_; }
  /// Neighbours of a position (`directions` entries: +x, -x, +y, …); `positions()` means none.
  [[nodiscard]] const int* of(int position) const noexcept {
    return neighbours_.data() + static_cast<std::size_t>(position) * directions_;
  }
  [[nodiscard]] std::size_t directions() const noexcept { return directions_; }
  [[nodiscard]] double weight(std::size_t direction) const noexcept {
    return weights_[direction / 2];
  }
  /// Weighted sum of the faces between positions on different nodes, each counted once.
  [[nodiscard]] double cost(std::span<const int> nodes) const noexcept;
  /// The largest sum over the faces of one node, both ways.
  [[nodiscard]] double busiest(std::span<const int> nodes, int node_count) const;

 private:
  FaceTable() = default;
  int positions_ = 0;
  std::size_t directions_ = 0;
  std::vector<double> weights_;
  std::vector<int> neighbours_;
};

}  // namespace cartwright::mapping
