// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/kernels/binned_parts.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/linear/multigrid/smoother.hpp>
#include <span>

namespace cartwright::linear {

/// b - A u, row by row.
template <class Kernel, int D>
struct ResidualRows {
  struct Row {
    typename Kernel::Row a;
    const double *u, *b;
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(int x) const {
      return (b[x] + a.neighbours(x)) - a.centre(x) * u[x];
    }
  };
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Row row(const Index<D>& start) const {
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
    [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double operator()(int x) const { return values[x]; }
  };
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Row row(const Index<D>& start) const {
    return {&values(start)};
  }
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

  /// Sets one coarse row of `count` cells; adds the squares of what was counted to `squares`.
  template <class Rows>
  void operator()(const Rows& rows, const Index<D>& coarse, Counted counted, double* to,
                  double* squares) const {
    const auto count = axes_[0]->first.size();
    std::fill_n(to, count, 0.0);
    std::fill_n(squares, count, 0.0);
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

  template <class Row>
  void add_row(const Row& row, const Index<D>& start, double weight, Counted counted, double* to,
               double* squares) const {
    const AxisRestriction& along = *axes_[0];
    const int count = static_cast<int>(along.first.size());
    if (count == 0) return;
    const int step = along.factor;
    if (step == 0) return add_cells(row, start, weight, counted, to, squares);
    const int begin = along.first[0];
    const auto add = [&](int child, int end) {
      const double* const fraction = (child == 0 ? along.fraction : along.second).data();
#pragma GCC ivdep
      for (int cell = 0; cell < end; ++cell) {
        const double value = row(begin + step * cell + child);
        to[cell] += weight * fraction[cell] * value;
        squares[cell] += value * value;
      }
    };
    if (step == 1) return add(0, count);
    const int pairs = along.count.back() == 2 ? count : count - 1;
    const Index<D> first = start.shifted(0, begin);
    const int coloured = first_of_colour(first, parity_) - begin;  // 0 or 1
    if (counted == Counted::all || coloured == 0) add(0, count);
    if (counted == Counted::all || coloured == 1) add(1, pairs);
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
        const double value = row(x);
        to[cell] += weight * (child == 0 ? along.fraction : along.second)[cell] * value;
        squares[cell] += value * value;
      }
  }

  const AxisRestriction* axes_[D]{};
  int parity_ = 0;
};

/// Restricts to all coarse cells of `box`; returns the sum of the squares, of this rank.
template <int D, class Rows>
[[nodiscard]] grid::BinnedSums<double> restrict_all(const Restriction<D>& restriction,
                                                    const Rows& rows, Counted counted,
                                                    const Box<D>& box,
                                                    const FieldView<double, D>& to) {
  grid::BinnedSums<double> total;
  if (box.empty()) return total;
  const Box<D> starts = box.with(0, 0, 1);
  const long long children = 8 * box.size();
  const auto sums = grid::results_of_ranges(children, starts.size(), [=](auto first, auto last) {
    grid::BinnedSums<double> sum;
    std::vector<double> squares(static_cast<std::size_t>(box.extent(0)));
    for (long long number = first; number < last; ++number) {
      const Index<D> coarse = grid::point_of(starts, number);
      restriction(rows, coarse, counted, &to(coarse), squares.data());
      sum.part[0].add(std::span<const double>(squares));
    }
    return sum;
  });
  for (const auto& sum : sums) total += sum;
  return total;
}

}  // namespace cartwright::linear
