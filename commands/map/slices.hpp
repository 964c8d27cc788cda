// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <string>
#include <vector>

namespace cartwright::command {

/// A grid as planes along its first two axes: all that pictures need to know of it.
class Slices {
 public:
  explicit Slices(const mapping::NodeMap& map);
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }
  [[nodiscard]] int count() const noexcept { return count_; }
  /// "z = 2"; empty if there is only one.
  [[nodiscard]] std::string name(int slice) const;
  [[nodiscard]] int node(int slice, int x, int y) const;
  /// True if the next position along axis 0 or 1 (around a periodic axis at its end) is on another
  /// node.
  [[nodiscard]] bool is_cut(int slice, int x, int y, int axis) const;
  /// The same along the axis that slices follow each other.
  [[nodiscard]] bool is_cut_across(int slice, int x, int y) const;
  [[nodiscard]] bool is_periodic(std::size_t axis) const;

 private:
  [[nodiscard]] bool differs(std::size_t position, std::size_t axis) const;
  [[nodiscard]] std::size_t position(int slice, int x, int y) const noexcept;
  const mapping::NodeMap& map_;
  mapping::FaceTable faces_;
  int width_, height_, count_;
};

}  // namespace cartwright::command
