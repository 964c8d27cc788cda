// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/linear/multigrid/smoother.hpp>
#include <optional>

namespace cartwright::linear {

/// Adds the linear interpolation of coarse values to one row's points, of one colour or all.
template <int D>
struct ProlongedRow {
  FieldView<const double, D> coarse;
  FieldView<double, D> u;
  const AxisTransfer* axes[D];
  int step;  ///< 2: points of the parity's colour
  int parity;

  void operator()(const Index<D>& first, int end) const {
    Index<D> start = first;
    start[0] = 0;
    double* const to = &u(start);
    Index<D> parent{};
    double inner = 1.0, weight[D];
    for (int axis = 1; axis < D; ++axis) {
      const auto cell = static_cast<std::size_t>(first[axis]);
      parent[axis] = axes[axis]->parent[cell];
      inner += axes[axis]->own[cell];
      weight[axis] = axes[axis]->other[cell];
    }
    const double* const middle = &coarse(parent);
    const double* beside[D];
    for (int axis = 1; axis < D; ++axis) {
      Index<D> next = parent;
      next[axis] = axes[axis]->neighbour[static_cast<std::size_t>(first[axis])];
      beside[axis] = &coarse(next);
    }
    const int* const parents = axes[0]->parent.data();
    const int* const neighbours = axes[0]->neighbour.data();
    const double* const own = axes[0]->own.data();
    const double* const other = axes[0]->other.data();
    for (int x = step == 2 ? first_of_colour(first, parity) : first[0]; x < end; x += step) {
      const int at = parents[x];
      double value = middle[at] * (inner + own[x]) + other[x] * middle[neighbours[x]];
      for (int axis = 1; axis < D; ++axis) value += weight[axis] * beside[axis][at];
      to[x] += value;
    }
  }
};

}  // namespace cartwright::linear
