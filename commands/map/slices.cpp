// SPDX-License-Identifier: Apache-2.0
#include "slices.hpp"

#include <fmt/format.h>

namespace cartwright::command {

Slices::Slices(const mapping::NodeMap& map)
    : map_(map),
      faces_(map.shape),
      width_(map.shape.dims[0]),
      height_(map.shape.dims.size() > 1 ? map.shape.dims[1] : 1),
      count_(static_cast<int>(map.nodes.size()) / (width_ * height_)) {}

std::string Slices::name(int slice) const {
  const auto& dims = map_.shape.dims;
  std::string text;
  for (std::size_t axis = 2; axis < dims.size(); slice /= dims[axis++]) {
    if (!text.empty()) text += ", ";
    text += axis == 2 ? "z" : fmt::format("axis {}", axis);
    text += fmt::format(" = {}", slice % dims[axis]);
  }
  return text;
}

std::size_t Slices::position(int slice, int x, int y) const noexcept {
  const int position = (slice * height_ + y) * width_ + x;
  return static_cast<std::size_t>(position);
}

int Slices::node(int slice, int x, int y) const {
  return map_.nodes[position(slice, x, y)];
}

bool Slices::differs(std::size_t position, std::size_t axis) const {
  const int next = faces_.of(static_cast<int>(position))[2 * axis];
  return next != faces_.positions() &&
         map_.nodes[static_cast<std::size_t>(next)] != map_.nodes[position];
}

bool Slices::is_cut(int slice, int x, int y, int axis) const {
  return differs(position(slice, x, y), static_cast<std::size_t>(axis));
}

bool Slices::is_cut_across(int slice, int x, int y) const {
  return map_.shape.dims.size() > 2 && differs(position(slice, x, y), 2);
}

bool Slices::is_periodic(std::size_t axis) const {
  return axis < map_.shape.dims.size() && map_.shape.periodic[axis];
}

}  // namespace cartwright::command
