// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/device_points.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/space/box.hpp>
#include <tuple>

namespace cartwright::grid {

/// A box as rows along x. Long rows are cut, so that one-dimensional grids use all threads; the
/// cuts are at fixed local coordinates, whatever box of a block they are made for.
template <int D>
struct Rows {
  static constexpr int longest_segment = 4096;

  explicit Rows(const Box<D>& points) : box(points) {
    first_segment = box.lower[0] / longest_segment;
    segments = box.empty() ? 0 : (box.upper[0] - 1) / longest_segment - first_segment + 1;
    count = segments;
    for (int axis = 1; axis < D; ++axis) count *= box.extent(axis);
  }

  /// The first point of row `number`; its x range is [result[0], end).
  KOKKOS_FORCEINLINE_FUNCTION Index<D> begin(long long number, int& end) const {
    Index<D> i{};
    int segment = first_segment;
    // Divisions cost as much as some points of the row: none for what there is only one of.
    if (segments > 1) {
      segment += static_cast<int>(number % segments);
      number /= segments;
    }
    for (int axis = 1; axis < D; ++axis) {
      const bool is_last = axis == D - 1;
      const int extent = box.upper[axis] - box.lower[axis];
      i[axis] = box.lower[axis] + static_cast<int>(is_last ? number : number % extent);
      if (!is_last) number /= extent;
    }
    // The first one also holds the ghosts below 0.
    i[0] = segment == first_segment ? box.lower[0] : segment * longest_segment;
    end = end_of(segment);
    return i;
  }

  /// From a row on to the next one: both are changed. No division, which costs as much as some
  /// points.
  KOKKOS_FORCEINLINE_FUNCTION void advance(Index<D>& first, int& end) const {
    if (end < box.upper[0]) {
      first[0] = end;
      end = end_of(end / longest_segment);
      return;
    }
    first[0] = box.lower[0];
    end = end_of(first_segment);
    for (int axis = 1; axis < D; ++axis) {
      if (++first[axis] < box.upper[axis]) return;
      if (axis < D - 1) first[axis] = box.lower[axis];
    }
  }

  /// The number of the row (of this box) that holds point `i`.
  KOKKOS_FORCEINLINE_FUNCTION long long number(const Index<D>& i) const {
    long long result = 0;
    for (int axis = D - 1; axis > 0; --axis)
      result = result * (box.upper[axis] - box.lower[axis]) + (i[axis] - box.lower[axis]);
    return result * segments + (i[0] / longest_segment - first_segment);
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int end_of(int segment) const {
    const int end = (segment + 1) * longest_segment;
    return end < box.upper[0] ? end : box.upper[0];
  }

  Box<D> box;
  int first_segment = 0;
  int segments = 0;
  long long count = 0;
};

/// What is done before a row, one after the other: RowGhosts of some fields, for example.
template <class... Steps>
struct RowPrologue {
  std::tuple<Steps...> steps;

  template <int D>
  void operator()(const Index<D>& first, int end) const {
    std::apply([&](const auto&... each) { (each(first, end), ...); }, steps);
  }
};
template <class... Steps>
RowPrologue(std::tuple<Steps...>) -> RowPrologue<Steps...>;
using NoPrologue = RowPrologue<>;

/// Calls `body(first, end)` for rows `from` up to, not including, `to`, one after the other, and
/// `prologue(first, end)` for each of them while the row before it is still to come. What a
/// processor stores just before it is read in wider pieces is read only when all stores before it
/// have reached the cache, those of the last row among them.
template <int D, class Body, class Prologue = NoPrologue>
void for_rows(const Rows<D>& rows, long long from, long long to, const Body& body,
              const Prologue& prologue = {}) {
  if (from == to) return;
  int end = 0, next_end = 0;
  // No copies of one another: they would be such reads.
  Index<D> first = rows.begin(from, end), next = rows.begin(from, next_end);
  prologue(next, next_end);
  for (long long row = from; row < to; ++row, rows.advance(first, end)) {
    rows.advance(next, next_end);
    if (row + 1 < to) prologue(next, next_end);
    body(first, end);
  }
}

/// Calls `body(first, end)` for each row of `box`, on all threads: body handles the points
/// (first[0] … end - 1, first[1], …). If it has `finish()`, each thread calls that behind its rows.
/// `prologue` as for_rows. Host only.
template <int D, class Body, class Prologue = NoPrologue>
void for_each_row(const Box<D>& box, const Body& body, const Prologue& prologue = {}) {
  const Rows<D> rows(box);
  for_ranges(box.size(), rows.count, [=](long long from, long long to) {
    for_rows(rows, from, to, body, prologue);
    if constexpr (requires { body.finish(); }) body.finish();
  });
}

/// Boxes thinner than this along x (the halos of x faces) are gone through in columns.
inline constexpr int shortest_row = 16;

/// A thin box: threads share the planes, and a plane's columns need no division to be found.
template <int D, class Kernel, class Prologue>
void for_each_point_of_thin_box(const Box<D>& box, const Kernel& kernel, const Prologue& prologue) {
  const Box<D> planes = box.with(0, 0, 1).with(1, 0, 1);
  for_ranges(box.size(), planes.size(), [=](long long from, long long to) {
    const Kernel local = kernel;  // in registers; see run_row
    for (long long number = from; number < to; ++number) {
      Index<D> i = point_of(planes, number);
      for (int y = box.lower[1]; y < box.upper[1]; ++y) {
        i[1] = y;
        i[0] = box.lower[0];
        prologue(i, box.upper[0]);
        for (int x = box.lower[0]; x < box.upper[0]; ++x) {
          i[0] = x;
          local(i);
        }
      }
    }
  });
}

/// Calls `kernel(i)` for one row of points, from `first` on. All that the kernel calls becomes one
/// piece with it: what g++ 12 leaves as a function by its own measure (a collision of 19
/// populations) takes its arguments through memory, and the loop takes 1.3 times as long.
///
/// `first` is no copy: g++ 12 stores its numbers one by one and reads them as one, for which all
/// stores of the row before must reach the cache first (0.69 of the time of heat's step of 64³
/// without it, 0.86 of 256³).
template <int D, class Kernel>
[[gnu::flatten]] inline void run_row(const Kernel& kernel, const Index<D>& first, const int end) {
  // A copy on the stack, once a row: what a kernel captured can't be changed by its stores, so it
  // stays in registers. Without it a stencil takes 1.2 times as long.
  const Kernel local = kernel;
  Index<D> i = first;
  // Independence of points is the kernel's promise, so the row may be vectorised.
#pragma GCC ivdep
  for (int x = first[0]; x < end; ++x) {
    i[0] = x;
    local(i);
  }
}

/// A kernel with its own loop over a row, `kernel.row(i, end)`, and what ends them,
/// `kernel.finish()`.
template <class Kernel>
struct RowsOfKernel {
  Kernel kernel;

  template <int D>
  void operator()(const Index<D>& i, int end) const {
    kernel.row(i, end);
  }
  void finish() const { kernel.finish(); }
};

/// A kernel that goes over boxes in its own order, on the host.
template <class Kernel, int D, class Prologue>
concept SweepsItself = requires(const Kernel& kernel, const Box<D>& box, const Prologue& prologue) {
  kernel.sweep(box, prologue);
};

/// Calls `kernel(i)` for every point of `box`, or `kernel.row(i, end)` for rows where it has that.
/// Points are independent: a kernel must not read what it writes at another point. On the host,
/// `prologue(first, end)` is called before each row (see for_rows); on a device it returns at once.
template <int D, class Kernel, class Prologue = NoPrologue>
void for_each_point(const Box<D>& box, const Kernel& kernel, const Prologue& prologue = {}) {
  if (box.empty()) return;
  if constexpr (kernels_run_on_host && SweepsItself<Kernel, D, Prologue>) {
    kernel.sweep(box, prologue);
  } else if constexpr (kernels_run_on_host) {
    if constexpr (D > 1)
      if (box.extent(0) < shortest_row) return for_each_point_of_thin_box<D>(box, kernel, prologue);
    if constexpr (requires { kernel.finish(); })
      for_each_row<D>(box, RowsOfKernel<Kernel>{kernel}, prologue);
    else
      for_each_row<D>(
          box, [kernel](const Index<D>& i, const int end) { run_row<D>(kernel, i, end); },
          prologue);
  } else {
    for_each_point_on_device(box, kernel);
  }
}

}  // namespace cartwright::grid
