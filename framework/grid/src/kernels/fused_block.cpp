// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/kernels/fused_block.hpp>
#include <numeric>

namespace cartwright::grid {
namespace {

/// `extent` in `count` ranges of about the same length; the end of each.
int cut(int extent, int count, int number) {
  return static_cast<int>(static_cast<long long>(extent) * number / count);
}

int pieces(int extent, long long longest) {
  longest = std::max<long long>(longest, 1);
  return static_cast<int>(std::max<long long>((extent + longest - 1) / longest, 1));
}

}  // namespace

template <int D>
std::vector<Box<D>> parts_of(const FusedBlock<D>& block, const FusedTiling& tiling) {
  // Planes in use: of each step but the last 2 reach + 1, and as many of the values at first.
  const long long planes =
      D == 1 ? block.steps : static_cast<long long>(block.steps) * (2 * block.reach + 1);
  const auto points = static_cast<long long>(tiling.cache_bytes / tiling.element_bytes) / planes;
  const int margin = 2 * block.steps * block.reach;
  int count[3] = {1, 1, 1};
  if (D < 3) {
    count[0] = pieces(block.owned.extent(0), std::max<long long>(points - margin, 8LL * margin));
  } else {
    // Rows that are long enough for a processor to run along them, then as many as there is room.
    constexpr long long longest_row = 1024;
    count[0] = pieces(block.owned.extent(0), longest_row);
    const long long row = block.owned.extent(0) / count[0] + margin;
    count[1] =
        pieces(block.owned.extent(1), std::max<long long>(points / row - margin, 2LL * margin));
  }
  const int tiles = count[0] * count[1];
  if (D > 1) {  // each thread as many parts as the others, and long ones
    const int wanted = tiling.threads / std::gcd(tiling.threads, tiles);
    count[D - 1] = std::clamp(block.owned.extent(D - 1) / std::max(2 * margin, 1), 1, wanted);
  }
  std::vector<Box<D>> parts;
  const Box<D> numbers = [&count] {
    Box<D> box{};
    for (int axis = 0; axis < D; ++axis) box.upper[axis] = count[axis];
    return box;
  }();
  for (long long number = 0; number < numbers.size(); ++number) {
    const Index<D> at = point_of(numbers, number);
    Box<D> part = block.owned;
    for (int axis = 0; axis < D; ++axis)
      part = part.with(
          axis, block.owned.lower[axis] + cut(block.owned.extent(axis), count[axis], at[axis]),
          block.owned.lower[axis] + cut(block.owned.extent(axis), count[axis], at[axis] + 1));
    parts.push_back(part);
  }
  return parts;
}

template std::vector<Box<1>> parts_of(const FusedBlock<1>& block, const FusedTiling& tiling);
template std::vector<Box<2>> parts_of(const FusedBlock<2>& block, const FusedTiling& tiling);
template std::vector<Box<3>> parts_of(const FusedBlock<3>& block, const FusedTiling& tiling);

}  // namespace cartwright::grid
