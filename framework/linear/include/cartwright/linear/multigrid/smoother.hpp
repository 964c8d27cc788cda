// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/linear/operators/level_operator.hpp>
#include <type_traits>

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

#ifdef CARTWRIGHT_PACKS
/// Sets every other one of the numbers from `to[begin]` up to `end`, the first one among them, to
/// `value(x)`: in packs, whose other numbers are stored as they were, so that whoever reads them
/// meanwhile, for a row of its own, finds the same. Returns where packs no longer fit. Each pack is
/// stored when the next one has read what is beside it: what was stored a moment ago can't be read
/// in other pieces before it has reached the cache.
template <class Value>
[[gnu::always_inline]] inline int set_every_other(double* to, int begin, int end,
                                                  const Value value) {
  constexpr int width = grid::points_of_vector;
  const auto is_set = RowPack([](auto lane) { return static_cast<double>(lane % 2); }) == 0.0;
  RowPack before;
  int x = begin;
  for (; x + width <= end; x += width) {
    auto now = numbers_at<RowPack>(to + x);
    where(is_set, now) = value(x);
    if (x > begin) before.copy_to(to + x - width, std::experimental::element_aligned);
    before = now;
  }
  if (x > begin) before.copy_to(to + x - width, std::experimental::element_aligned);
  return x;
}
#endif

/// Gauss-Seidel on one row's points of one colour: they don't look at each other.
template <class Kernel, int D>
struct SmoothedRow {
  Kernel kernel;
  FieldView<double, D> u;
  FieldView<const double, D> b;
  int parity;
  bool from_zero;  ///< u is taken for 0

  [[gnu::flatten]] void operator()(const Index<D>& first, int end) const {
    Index<D> start = first;
    start[0] = 0;
    const auto row = kernel.row(u.reading(), start);
    double* const to = &u(start);
    const double* const given = &b(start);
    const int begin = first_of_colour(first, parity);
    if (from_zero)
      set(to, begin, end, [=]<class Number>(std::type_identity<Number>, int x) {
        return numbers_at<Number>(given + x) * (1.0 / row.template centre<Number>(x));
      });
    else
      smooth(row, given, begin, end, to);
  }

 private:
  using Row = typename Kernel::Row;

  /// `value(kind of number, x)`. Returns the first point that has not been reached.
  template <class Value>
  static int set(double* to, int x, int end, const Value& value) {
#ifdef CARTWRIGHT_PACKS
    // Of two numbers one would be kept: no quicker than one by one.
    if constexpr (grid::points_of_vector >= 4)
      x = set_every_other(to, x, end,
                          [=](int first) { return value(std::type_identity<RowPack>{}, first); });
#endif
    for (; x < end; x += 2) to[x] = value(std::type_identity<double>{}, x);
    return x;
  }

  void smooth(const Row& row, const double* given, int begin, int end, double* to) const {
    const auto all = [&](const auto& along_x, int from, int until) {
      return set(to, from, until, [=]<class Number>(std::type_identity<Number>, int x) {
        return (numbers_at<Number>(given + x) + row.template neighbours<Number>(x, along_x)) *
               (1.0 / row.template centre<Number>(x, along_x));
      });
    };
    int x = all(row.tables(), begin, std::min(end, kernel.alike_begin));
    const int until = std::min(end, kernel.alike_end);
    if (x < until) x = all(row.alike(x), x, until);
    all(row.tables(), x, end);
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
    grid::for_each_row<D>(box, kernel_, prologue);
  }
  void finish() const {}

 private:
  RowKernel kernel_;
};

template <int D, class RowKernel>
[[nodiscard]] auto make_sweep(const grid::GridBase& /*grid*/, const Box<D>& /*owned*/,
                              const RowKernel& kernel, const ByRows& /*mark*/) {
  return RowSweep<D, RowKernel>(kernel);
}

}  // namespace cartwright::linear
