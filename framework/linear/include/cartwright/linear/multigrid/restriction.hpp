// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/kernels/binned_parts.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/linear/multigrid/smoother.hpp>
#include <cstddef>
#include <span>

namespace cartwright::linear {

/// b - A u, row by row.
template <class Kernel, int D>
struct ResidualRows {
  struct Row {
    typename Kernel::Row a;
    const double *u, *b;
    template <class Number = double>
    [[nodiscard]] Number at(int x) const {
      return (numbers_at<Number>(b + x) + a.template neighbours<Number>(x)) -
             a.template centre<Number>(x) * numbers_at<Number>(u + x);
    }
    /// Those from x on, `count` of them.
    void copy_to(double* to, int x, int count) const {
      int k = 0;
#ifdef CARTWRIGHT_PACKS
      for (; k + grid::points_of_vector <= count; k += grid::points_of_vector)
        at<RowPack>(x + k).copy_to(to + k, std::experimental::element_aligned);
#endif
      for (; k < count; ++k) to[k] = at(x + k);
    }
  };
  [[nodiscard]] Row row(const Index<D>& start) const {
    return {kernel.row(u, start), &u(start), &b(start)};
  }
  Kernel kernel;
  FieldView<const double, D> u, b;
};

/// What a field holds, row by row.
template <int D>
struct FieldRows {
  struct Row {
    const double* values;
    [[nodiscard]] double at(int x) const { return values[x]; }
    void copy_to(double* to, int x, int count) const { std::copy_n(values + x, count, to); }
  };
  [[nodiscard]] Row row(const Index<D>& start) const { return {&values(start)}; }
  FieldView<const double, D> values;
};

/// Of the cells of a fine row that coarse cells consist of, those that count.
enum class Counted { red, all };

/// Weighted means of what the cells of each coarse cell have: in one order, whoever has which.
template <int D>
class Restriction {
 public:
  Restriction() = default;
  Restriction(const std::array<AxisRestriction, static_cast<std::size_t>(D)>& axes, int parity)
      : parity_(parity) {
    for (int axis = 0; axis < D; ++axis) axes_[axis] = &axes[static_cast<std::size_t>(axis)];
  }

  /// Sets one coarse row of cells, and its `squares`, of what was counted, unless these are null.
  template <class Rows>
  void operator()(const Rows& rows, const Index<D>& coarse, Counted counted, double* to,
                  double* squares) const {
    const auto count = axes_[0]->first.size();
    std::fill_n(to, count, 0.0);
    if (squares != nullptr) std::fill_n(squares, count, 0.0);
    visit_rows(coarse, D - 1, 1.0, Index<D>{}, [&](const Index<D>& start, double weight) {
      add_row(rows.row(start), start, weight, counted, to, squares);
    });
  }

 private:
  /// Calls `visit(start, weight)` for the fine rows of a coarse one, outer axes first.
  template <class Visit>
  void visit_rows(const Index<D>& coarse, int axis, double weight, Index<D> start,
                  const Visit& visit) const {
    if (axis == 0) return visit(start, weight);
    const AxisRestriction& along = *axes_[axis];
    const auto cell = static_cast<std::size_t>(coarse[axis]);
    for (int child = 0; child < along.count[cell]; ++child) {
      start[axis] = along.first[cell] + child;
      visit_rows(coarse, axis - 1, weight * (child == 0 ? along.fraction : along.second)[cell],
                 start, visit);
    }
  }

  /// Some cells at a time: what they are made of is found in packs, of which every second number
  /// may count.
  template <class Row>
  void add_row(const Row& row, const Index<D>& start, double weight, Counted counted, double* to,
               double* squares) const {
    const AxisRestriction& along = *axes_[0];
    const int count = static_cast<int>(along.first.size());
    if (count == 0) return;
    const int step = along.factor;
    if (step == 0) return add_cells(row, start, weight, counted, to, squares);
    const int last = step * (count - 1) + along.count.back();
    const Index<D> first = start.shifted(0, along.first[0]);
    const int coloured = first_of_colour(first, parity_) - first[0];  // 0 or 1
    double fine[2 * cells_at_once];
    for (int from = 0; from < count; from += cells_at_once) {
      const int children = std::min(step * cells_at_once, last - step * from);
      row.copy_to(fine, first[0] + step * from, children);
      for (int child = 0; child < step; ++child) {
        if (counted == Counted::red && step == 2 && child != coloured) continue;
        const double* const fraction = (child == 0 ? along.fraction : along.second).data() + from;
        const int cells = (children - child + step - 1) / step;
        add(fine + child, step, cells, weight, fraction, to + from,
            squares == nullptr ? nullptr : squares + from);
      }
    }
  }
  static void add(const double* fine, std::ptrdiff_t step, int cells, double weight,
                  const double* fraction, double* to, double* squares) {
#pragma GCC ivdep
    for (int k = 0; k < cells; ++k) to[k] += weight * fraction[k] * fine[step * k];
    if (squares == nullptr) return;
#pragma GCC ivdep
    for (int k = 0; k < cells; ++k) squares[k] += fine[step * k] * fine[step * k];
  }

  /// Along an axis of which some cells are joined, and others aren't.
  template <class Row>
  void add_cells(const Row& row, const Index<D>& start, double weight, Counted counted, double* to,
                 double* squares) const {
    const AxisRestriction& along = *axes_[0];
    for (std::size_t cell = 0; cell < along.first.size(); ++cell)
      for (int child = 0; child < along.count[cell]; ++child) {
        const int x = along.first[cell] + child;
        const bool counts =
            counted == Counted::all || first_of_colour(start.shifted(0, x), parity_) == x;
        if (!counts) continue;
        const double value = row.at(x);
        to[cell] += weight * (child == 0 ? along.fraction : along.second)[cell] * value;
        if (squares != nullptr) squares[cell] += value * value;
      }
  }

  static constexpr int cells_at_once = 256;
  const AxisRestriction* axes_[D]{};
  int parity_ = 0;
};

/// Restricts to all coarse cells of `box`; returns the sum of the squares of this rank, or 0 if
/// they are not wanted.
template <int D, class Rows>
[[nodiscard]] grid::BinnedSums<double> restrict_all(const Restriction<D>& restriction,
                                                    const Rows& rows, Counted counted,
                                                    const Box<D>& box,
                                                    const FieldView<double, D>& to,
                                                    bool with_squares) {
  grid::BinnedSums<double> total;
  if (box.empty()) return total;
  const Box<D> starts = box.with(0, 0, 1);
  const long long children = 8 * box.size();
  const auto sums = grid::results_of_ranges(children, starts.size(), [=](auto first, auto last) {
    grid::BinnedSums<double> sum;
    std::vector<double> squares(with_squares ? static_cast<std::size_t>(box.extent(0)) : 0);
    double* const to_squares = with_squares ? squares.data() : nullptr;
    for (long long number = first; number < last; ++number) {
      const Index<D> coarse = grid::point_of(starts, number);
      restriction(rows, coarse, counted, &to(coarse), to_squares);
      if (with_squares) sum.part[0].add(std::span<const double>(squares));
    }
    return sum;
  });
  for (const auto& sum : sums) total += sum;
  return total;
}

}  // namespace cartwright::linear
