// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cartwright/grid/kernels/row_blocks.hpp>

namespace cartwright::grid {

std::size_t bytes_of_own_cache() {
  // Asked once: in a virtual machine the question may leave it.
  static const std::size_t bytes = [] {
    constexpr std::size_t guess = std::size_t{1} << 20U;
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long found = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (found > 0) return static_cast<std::size_t>(found);
#endif
    return guess;
  }();
  return bytes;
}

template <int D>
int row_blocks(const Index<D>& extent, const StencilRead& read) {
  if constexpr (D < 3) {
    return 1;
  } else {
    // Planes around a point, and the one that is written; the other half is for whatever else a
    // kernel reads.
    const long long planes = 2LL * read.reach + 2;
    const auto row = static_cast<long long>(read.bytes_of_point) * (extent[0] + 2LL * read.reach);
    const auto room = static_cast<long long>(bytes_of_own_cache() / 2);
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
