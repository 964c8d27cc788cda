// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/volume/depth_order.hpp>

#include <algorithm>
#include <numeric>

namespace cartwright::grid {
namespace {

std::vector<int> slabs_along(const Camera& camera, const GridDescription& grid,
                             const std::vector<long long>& cuts, int axis) {
  const int count = static_cast<int>(cuts.size()) - 1;
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  if (!camera.perspective) {
    if (camera.forward[axis] < 0) std::ranges::reverse(order);
    return order;
  }
  const auto begins = [&](int slab) {
    return grid.position(axis, Centring::node, cuts[static_cast<std::size_t>(slab)]);
  };
  int own = 0;
  while (own + 1 < count && camera.eye[axis] >= begins(own + 1)) ++own;
  std::ranges::stable_sort(order, {}, [own](int slab) { return std::abs(slab - own); });
  return order;
}

}  // namespace

std::vector<std::vector<int>> slabs_by_depth(const Camera& camera, const GridDescription& grid,
                                             const Cuts& cuts) {
  std::vector<std::vector<int>> slabs;
  slabs.reserve(3);
  for (int axis = 0; axis < 3; ++axis)
    slabs.push_back(slabs_along(camera, grid, cuts[static_cast<std::size_t>(axis)], axis));
  return slabs;
}

std::vector<int> ranks_by_depth(const std::vector<std::vector<int>>& slabs) {
  const int p = static_cast<int>(slabs[0].size()), q = static_cast<int>(slabs[1].size());
  std::vector<int> ranks;
  for (const int z : slabs[2])
    for (const int y : slabs[1])
      for (const int x : slabs[0]) ranks.push_back(x + p * (y + q * z));
  return ranks;
}

}  // namespace cartwright::grid
