// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/kernels/flux_tiles.hpp>
#include <cartwright/grid/kernels/parts.hpp>

namespace cartwright::grid {

namespace {

/// Of points of equal length from 0 on, that which holds `x`.
int segment_of(int x, int longest) {
  return (x >= 0 ? x : x - longest + 1) / longest;
}

}  // namespace

template <int D>
FluxTiles<D>::FluxTiles(const Box<D>& points, int longest, int rows)
    : box(points), longest_segment(longest) {
  // What the first and the last plane of a piece look at is found twice.
  constexpr int fewest_planes = 8;
  constexpr long long tiles_of_thread = 4;
  Index<D>& count_along = parts.upper;
  count_along[0] = segment_of(box.upper[0] - 1, longest) - segment_of(box.lower[0], longest) + 1;
  if (D > 2) count_along[1] = (box.extent(1) + rows - 1) / rows;
  if (D == 1) return;
  count_along[D - 1] = 1;
  const int planes = box.extent(D - 1);
  const int threads = threads_for(box.size(), box.size());
  const long long wanted = threads == 1 ? 1 : (tiles_of_thread * threads + count() - 1) / count();
  count_along[D - 1] =
      static_cast<int>(std::clamp<long long>(wanted, 1, std::max(planes / fewest_planes, 1)));
}

template <int D>
Box<D> FluxTiles<D>::operator[](long long number) const {
  const Index<D> part = point_of(parts, number);
  // At fixed coordinates, where packs begin.
  const int segment = segment_of(box.lower[0], longest_segment) + part[0];
  Box<D> tile = box.with(0, std::max(box.lower[0], segment * longest_segment),
                         std::min(box.upper[0], (segment + 1) * longest_segment));
  for (int axis = 1; axis < D; ++axis) tile = tile.part(axis, part[axis], parts.upper[axis]);
  return tile;
}

template struct FluxTiles<1>;
template struct FluxTiles<2>;
template struct FluxTiles<3>;

}  // namespace cartwright::grid
