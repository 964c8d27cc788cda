// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/both_sides.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/index.hpp>

namespace cartwright::grid {

/// The points from `lower` up to, not including, `upper` along each axis. Empty if any axis is.
template <int D>
struct Box {
  Index<D> lower{};
  Index<D> upper{};

  [[nodiscard]] CARTWRIGHT_BOTH_SIDES constexpr int extent(int axis) const {
    return upper[axis] > lower[axis] ? upper[axis] - lower[axis] : 0;
  }
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES constexpr long long size() const {
    long long points = 1;
    for (int axis = 0; axis < D; ++axis) points *= extent(axis);
    return points;
  }
  [[nodiscard]] constexpr bool empty() const { return size() == 0; }
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES constexpr bool contains(const Index<D>& i) const {
    for (int axis = 0; axis < D; ++axis)
      if (i[axis] < lower[axis] || i[axis] >= upper[axis]) return false;
    return true;
  }
  /// This box, with the range along `axis` replaced.
  [[nodiscard]] constexpr Box with(int axis, int from, int to) const {
    Box result = *this;
    result.lower[axis] = from;
    result.upper[axis] = to;
    return result;
  }

  /// Part `number` of `count` of this box, cut along `axis`.
  [[nodiscard]] constexpr Box part(int axis, int number, int count) const {
    const PartRange range = part_range(extent(axis), count, number);
    return with(axis, lower[axis] + static_cast<int>(range.begin),
                lower[axis] + static_cast<int>(range.end));
  }

  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// The point of `box` with the given number, x fastest.
template <int D>
[[gnu::always_inline]] CARTWRIGHT_BOTH_SIDES inline Index<D> point_of(const Box<D>& box,
                                                                      long long number) {
  Index<D> i{};
  for (int axis = 0; axis < D - 1; ++axis) {
    const int extent = box.upper[axis] - box.lower[axis];
    i[axis] = box.lower[axis] + static_cast<int>(number % extent);
    number /= extent;
  }
  i[D - 1] = box.lower[D - 1] + static_cast<int>(number);
  return i;
}

/// The inverse of `point_of`.
template <int D>
[[gnu::always_inline]] CARTWRIGHT_BOTH_SIDES inline long long number_of(const Box<D>& box,
                                                                        const Index<D>& i) {
  long long number = 0;
  for (int axis = D - 1; axis >= 0; --axis)
    number = number * (box.upper[axis] - box.lower[axis]) + (i[axis] - box.lower[axis]);
  return number;
}

}  // namespace cartwright::grid
