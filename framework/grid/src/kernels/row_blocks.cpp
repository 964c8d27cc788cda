// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/grid/kernels/row_blocks.hpp>

namespace cartwright::grid {

std::size_t room_for_planes(bool in_own_cache) {
  return in_own_cache ? bytes_of_own_cache() / 2 : bytes_of_core_caches() / 4;
}

template <int D>
int row_blocks(const Index<D>& extent, const StencilRead& read) {
  if constexpr (D < 3) {
    return 1;
  } else {
    // Planes around a point, and the one that is written.
    const long long planes = 2LL * read.reach + 2;
    const auto row = static_cast<long long>(read.bytes_of_point) * (extent[0] + 2LL * read.reach);
    const auto room = static_cast<long long>(read.room);
    const long long rows = room / std::max(planes * row, 1LL) - 2LL * read.reach;
    // What lies between two blocks is fetched twice.
    const long long fewest = 16LL * std::max(read.reach, 1);
    if (rows < fewest || rows >= extent[1]) return 1;
    return static_cast<int>((extent[1] + rows - 1) / rows);
  }
}

template int row_blocks(const Index<1>& extent, const StencilRead& read);
template int row_blocks(const Index<2>& extent, const StencilRead& read);
template int row_blocks(const Index<3>& extent, const StencilRead& read);

}  // namespace cartwright::grid
