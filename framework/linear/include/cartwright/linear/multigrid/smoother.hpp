// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/linear/operators/level_operator.hpp>

namespace cartwright::linear {

/// Points whose global numbers add up to an even number are red, the others black.
enum class Colour : int { red = 0, black = 1 };

/// 0 if the points of `colour` in this block are those with an even sum of local numbers, else 1.
template <int D>
[[nodiscard]] int parity_of(const grid::GridBase& grid, Colour colour) {
  const grid::Block block = grid.block(grid::Centring::cell);
  long long sum = static_cast<int>(colour);
  for (int axis = 0; axis < D; ++axis) sum += block.start[static_cast<std::size_t>(axis)];
  return static_cast<int>(sum & 1);
}

/// The first of a row's points, from `first` on, that has the parity's colour.
template <int D>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int first_of_colour(const Index<D>& first, int parity) {
  int sum = parity;
  for (int axis = 0; axis < D; ++axis) sum += first[axis];
  return first[0] + (sum & 1);
}

/// Gauss-Seidel on one row's points of one colour: they don't look at each other.
template <class Kernel, int D>
struct SmoothedRow {
  Kernel kernel;
  FieldView<double, D> u;
  FieldView<const double, D> b;
  int parity;
  bool from_zero;  ///< u is taken for 0

  void operator()(const Index<D>& first, int end) const {
    Index<D> start = first;
    start[0] = 0;
    const auto row = kernel.row(u.reading(), start);
    double* const to = &u(start);
    const double* const given = &b(start);
    const int begin = first_of_colour(first, parity);
    if (from_zero)
      for (int x = begin; x < end; x += 2) to[x] = given[x] * (1.0 / row.centre(x));
    else
      smooth(row, given, begin, end, to);
  }

 private:
  using Row = typename Kernel::Row;

  void smooth(const Row& row, const double* given, int begin, int end, double* to) const {
    const auto one_by_one = [&](int from, int until) {
      int x = from;
      for (; x < until; x += 2) to[x] = (given[x] + row.neighbours(x)) * (1.0 / row.centre(x));
      return x;
    };
    if constexpr (!Kernel::is_constant) {
      one_by_one(begin, end);
    } else {
      int x = one_by_one(begin, std::min(end, kernel.alike_begin));
      const int until = std::min(end, kernel.alike_end);
      if (x < until) {
        const double low = kernel.axis[0].lower[x], high = kernel.axis[0].upper[x];
        const double inverse = 1.0 / row.centre(x);
        const Row alike = row;  // in registers
        for (; x < until; x += 2) to[x] = (given[x] + alike.neighbours(x, low, high)) * inverse;
      }
      one_by_one(x, end);
    }
  }
};

/// Marks a kernel of whole rows, `kernel(first, end)`, for exchange(u).overlap(kernel, by_rows).
struct ByRows {};

template <int D, class RowKernel>
class RowSweep {
 public:
  explicit RowSweep(const RowKernel& kernel) : kernel_(kernel) {}
  template <class Prologue = grid::NoPrologue>
  void operator()(const Box<D>& box, const Prologue& prologue = {}) const {
    if (box.empty()) return;
    const auto row = [kernel = kernel_](const Index<D>& first, int end) {
      const RowKernel local = kernel;  // in registers; see for_each_point
      local(first, end);
    };
    grid::for_each_row<D>(box, row, prologue);
  }
  void finish() const {}

 private:
  RowKernel kernel_;
};

/// Without an exchange.
template <int D, class RowKernel>
void sweep_rows(const Box<D>& box, const RowKernel& kernel) {
  const RowSweep<D, RowKernel> sweep(kernel);
  sweep(box);
}

template <int D, class RowKernel>
[[nodiscard]] auto make_sweep(const grid::GridBase& /*grid*/, const Box<D>& /*owned*/,
                              const RowKernel& kernel, const ByRows& /*mark*/) {
  return RowSweep<D, RowKernel>(kernel);
}

}  // namespace cartwright::linear
