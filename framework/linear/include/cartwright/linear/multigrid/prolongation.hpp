// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/multigrid/smoother.hpp>
#include <optional>

namespace cartwright::linear {

/// Adds the (bi-, tri-)linear interpolation of coarse values to one row's points, of one colour or
/// all.
template <int D>
struct ProlongedRow {
  FieldView<const double, D> coarse;
  FieldView<double, D> u;
  const AxisTransfer* axes[D];
  int step;  ///< 2: points of the parity's colour
  int parity;
  bool constant;  ///< instead: what the parent has

  void operator()(const Index<D>& first, int end) const {
    Index<D> start = first;
    start[0] = 0;
    double* const to = &u(start);
    const int* const parents = axes[0]->parent.data();
    const int* const neighbours = axes[0]->neighbour.data();
    const double* const own = axes[0]->own.data();
    const double* const other = axes[0]->other.data();
    const int low = parents[first[0]] - 1, count = parents[end - 1] + 2 - low;
    double along[grid::Rows<D>::longest_segment + 3];  // the coarse row's own values, interpolated
    interpolate_across(first, low, count, along);
    const double* const row = along - low;
    if (constant) {
      for (int x = first_of_step(first); x < end; x += step) to[x] += row[parents[x]];
      return;
    }
    for (int x = first_of_step(first); x < end; x += step)
      to[x] += (1.0 + own[x]) * row[parents[x]] + other[x] * row[neighbours[x]];
  }

 private:
  [[nodiscard]] int first_of_step(const Index<D>& first) const {
    return step == 2 ? first_of_colour(first, parity) : first[0];
  }
  /// Along all axes but x.
  void interpolate_across(const Index<D>& first, int low, int count, double* along) const {
    constexpr int rows = 1 << (D - 1);
    const double* from[rows];
    double weight[rows];
    for (int number = 0; number < rows; ++number) {
      Index<D> at{};
      at[0] = low;
      weight[number] = 1.0;
      for (int axis = 1; axis < D; ++axis) {
        const auto cell = static_cast<std::size_t>(first[axis]);
        const bool beside = (number >> (axis - 1) & 1) != 0;
        at[axis] = beside ? axes[axis]->neighbour[cell] : axes[axis]->parent[cell];
        if (constant)
          weight[number] *= beside ? 0.0 : 1.0;
        else
          weight[number] *= beside ? axes[axis]->other[cell] : 1.0 + axes[axis]->own[cell];
      }
      from[number] = &coarse(at);
    }
#pragma GCC ivdep
    for (int k = 0; k < count; ++k) {
      double value = weight[0] * from[0][k];
      for (int number = 1; number < rows; ++number) value += weight[number] * from[number][k];
      along[k] = value;
    }
  }
};

}  // namespace cartwright::linear
