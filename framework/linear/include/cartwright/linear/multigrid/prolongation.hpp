// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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

  [[nodiscard]] int first_of_step(const Index<D>& first) const {
    return step == 2 ? first_of_colour(first, parity) : first[0];
  }
  /// Of the rows that are interpolated between, whether one is that of the neighbours along `axis`.
  [[nodiscard]] static bool is_beside(int number, int axis) {
    return (number >> (axis - 1) & 1) != 0;
  }
  /// Where the coarse row `number` for a row of points begins.
  [[nodiscard]] const double* coarse_row(const Index<D>& first, int number) const {
    Index<D> at{};
    for (int axis = 1; axis < D; ++axis) {
      const auto cell = static_cast<std::size_t>(first[axis]);
      at[axis] = (is_beside(number, axis) ? axes[axis]->neighbour : axes[axis]->parent)[cell];
    }
    return &coarse(at);
  }

 private:
  /// Along all axes but x.
  void interpolate_across(const Index<D>& first, int low, int count, double* along) const {
    constexpr int rows = 1 << (D - 1);
    const double* from[rows];
    double weight[rows];
    for (int number = 0; number < rows; ++number) {
      weight[number] = 1.0;
      for (int axis = 1; axis < D; ++axis) {
        const auto cell = static_cast<std::size_t>(first[axis]);
        const bool beside = is_beside(number, axis);
        if (constant)
          weight[number] *= beside ? 0.0 : 1.0;
        else
          weight[number] *= beside ? axes[axis]->other[cell] : 1.0 + axes[axis]->own[cell];
      }
      from[number] = coarse_row(first, number) + low;
    }
#pragma GCC ivdep
    for (int k = 0; k < count; ++k) {
      double value = weight[0] * from[0][k];
      for (int number = 1; number < rows; ++number) value += weight[number] * from[number][k];
      along[k] = value;
    }
  }
};

/// What conducts around the cells of a level.
template <int D>
struct Conductors {
  FieldView<const double, D> cell, face[D];
  struct End {
    int cell = -1;  ///< beside a wall; -1: this block has none here
    bool mixed = false;
  };
  End ends[D][2];

  /// A correction changes on the way from its coarse cell's middle to the middle of cell i by
  /// `part` of what it changes up to the next coarse cell, or the wall. How much more it does
  /// because the coefficient varies: flow is the same before and behind a face, so that it changes
  /// where resistance is. Next to a bad conductor a cell keeps its parent's value: else the error
  /// would grow with the jump of the coefficient.
  [[nodiscard]] double share(const Index<D>& i, int axis, bool upwards, double part) const {
    const End& end = ends[axis][upwards ? 1 : 0];
    const double towards = face[axis](upwards ? i.shifted(axis, 1) : i);
    if (i[axis] != end.cell) return std::min(2.0, towards / cell(i));
    if (end.mixed) return 1.0;
    const double away = face[axis](upwards ? i : i.shifted(axis, 1));
    return 1.0 / ((1.0 - part) * (away / towards) + part);
  }
};

/// As ProlongedRow, where the coefficient varies: interpolation that preserves flow (Alcouffe,
/// Brandt, Dendy and Painter 1981).
template <int D>
struct FlowingRow {
  ProlongedRow<D> plain;
  Conductors<D> conductors;

  void operator()(const Index<D>& first, int end) const {
    constexpr int rows = 1 << (D - 1);
    const double* from[rows];
    for (int number = 0; number < rows; ++number) from[number] = plain.coarse_row(first, number);
    const AxisTransfer& along = *plain.axes[0];
    Index<D> i = first;
    for (i[0] = plain.first_of_step(first); i[0] < end; i[0] += plain.step) {
      const auto parent = along.parent[static_cast<std::size_t>(i[0])];
      const auto neighbour = along.neighbour[static_cast<std::size_t>(i[0])];
      Weights weights[D];
      for (int axis = 0; axis < D; ++axis) weights[axis] = weights_of(i, axis);
      double value = 0.0;
      for (int number = 0; number < rows; ++number) {
        double weight = 1.0;
        for (int axis = 1; axis < D; ++axis)
          weight *=
              ProlongedRow<D>::is_beside(number, axis) ? weights[axis].other : weights[axis].own;
        value += weight * (weights[0].own * from[number][parent] +
                           weights[0].other * from[number][neighbour]);
      }
      plain.u(i) += value;
    }
  }

 private:
  struct Weights {
    double own, other;
  };
  [[nodiscard]] Weights weights_of(const Index<D>& i, int axis) const {
    const AxisTransfer& transfer = *plain.axes[axis];
    const auto cell = static_cast<std::size_t>(i[axis]);
    if (transfer.own[cell] == 0.0) return {1.0, 0.0};
    const bool upwards = transfer.neighbour[cell] > transfer.parent[cell];
    const double share = conductors.share(i, axis, upwards, -transfer.own[cell]);
    return {1.0 + share * transfer.own[cell], share * transfer.other[cell]};
  }
};

}  // namespace cartwright::linear
