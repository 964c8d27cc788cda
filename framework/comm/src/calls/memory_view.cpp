// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/calls/memory_view.hpp>
#include <cartwright/rt/error.hpp>
#include <utility>

namespace cartwright::comm {

Strides strides_of_axes(std::span<const plan::Count> extents,
                        std::span<const plan::Count> strides) {
  std::vector<std::pair<plan::Count, plan::Count>> axes;  // stride and extent, the closest first
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] == 0) return {.block = 0, .stride = 0, .count = 0};
    if (extents[axis] > 1) axes.emplace_back(strides[axis], extents[axis]);
  }
  std::ranges::sort(axes);
  auto axis = axes.begin();
  Strides found{.block = 1, .stride = 1, .count = 1};
  for (; axis != axes.end() && axis->first == found.block; ++axis) found.block *= axis->second;
  found.stride = found.block;
  if (axis != axes.end()) found.stride = axis->first;
  for (; axis != axes.end() && axis->first == found.stride * found.count; ++axis)
    found.count *= axis->second;
  if (axis != axes.end())
    throw rt::internal_failure("a view isn't made of equal blocks at equal distances",
                               "Copy it, or take it row by row or plane by plane.");
  check(found, found.extent());
  return found;
}

}  // namespace cartwright::comm
