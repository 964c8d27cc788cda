// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/arrays_view.hpp>
#include <cartwright/grid/field/row_fetch.hpp>
#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/kernels/streaming_stores.hpp>
#include <cartwright/grid/kernels/sweep_trial.hpp>
#include <cstddef>

namespace cartwright::grid {

/// How new values of rows are stored, and what is fetched meanwhile.
struct RowManner {
  bool past_caches = false;  ///< nobody reads the new values soon: they are too many
  /// From a point to one that is read some rows later, in elements: it is fetched. 0: nothing is.
  /// What a processor finds out by itself comes too late: a row ends where it has learnt of it.
  std::ptrdiff_t ahead = 0;
  bool is_sure = true;  ///< false: whether to store past the caches had better be tried
};

/// So many new values, from where a cache line begins on, past the caches.
template <int points, int D, class Kernel, class From, class To>
[[gnu::always_inline]] inline void stream_new_part(const Kernel& kernel, const From& from,
                                                   const To& to, Index<D> at) {
  using Element = typename To::Element;
  alignas(64) Element values[points];
  Element* const target = to.row(at);
  const int first = at[0];
#pragma GCC ivdep
  for (int k = 0; k < points; ++k) {
    at[0] = first + k;
    values[k] = kernel(from, at);
  }
  stream_lines<points * sizeof(Element)>(values, target);
}

/// `to(i) = kernel(from, i)` for one row of points, from `i` on. As run_row: copies on the stack,
/// and all that the kernel calls in one piece. (The loop stands in the very function that says so:
/// g++ 12 leaves calls in what becomes part of such a function only by inlining.)
/// `has_equal_spacings`: that of `from`, known before the loop, which has no branch then (g++ 12
/// leaves it scalar otherwise).
///
/// In parts of a few cache lines: reading goes on while lines are stored past the caches (1.4 times
/// as fast as by whole rows), and a compiler unrolls them. What isn't whole lines, at either end of
/// a row, is stored as always: as little as can be, since what is stored past the caches behind it
/// waits (a step of 204³, with one such line a row instead of two, takes 0.65 of its time).
template <bool has_equal_spacings, bool past_caches, int D, class Kernel, class From, class To>
[[gnu::flatten, gnu::noinline]] void run_new_row_of(const Kernel& kernel, const From& from,
                                                    const To& to, const Index<D>& i, const int end,
                                                    const std::ptrdiff_t ahead) {
  using Element = typename To::Element;
  // Whole lines of all elements that are made of whole floats; and of whole doubles.
  constexpr int points = 16;
  constexpr int fewest_points = sizeof(Element) % sizeof(double) == 0 ? 8 : points;
  const Kernel local = kernel;
  const From in = from.with_equal_spacings(has_equal_spacings);
  const To out = to;
  Index<D> at = i;
  int x = i[0];
  if constexpr (past_caches) {
    if (!begins_line(out.row(at))) fetch_points(in, at, ahead, 1);
    for (; x < end && !begins_line(out.row(at)); at[0] = ++x) out(at) = local(in, at);
  }
  for (; end - x >= points; x += points) {
    at[0] = x;
    fetch_points(in, at, ahead, points);
    if constexpr (past_caches) {
      stream_new_part<points>(local, in, out, at);
    } else {
#pragma GCC ivdep
      for (int k = 0; k < points; ++k) {
        at[0] = x + k;
        out(at) = local(in, at);
      }
    }
  }
  at[0] = x;
  fetch_points(in, at, ahead, end - x);
  if constexpr (past_caches && fewest_points < points) {
    if (end - x >= fewest_points) {
      stream_new_part<fewest_points>(local, in, out, at);
      x += fewest_points;
    }
  }
#pragma GCC ivdep
  for (int rest = x; rest < end; ++rest) {
    at[0] = rest;
    out(at) = local(in, at);
  }
}
/// Of Arrays.
template <int D, class Kernel, class From, class To>
[[gnu::flatten, gnu::noinline]] void run_new_row_in_arrays(const Kernel& kernel, const From& from,
                                                           const To& to, const Index<D>& first,
                                                           const int end) {
  const Kernel local = kernel;
  const From in = from;
  const To out = to;
  Index<D> i = first;
#pragma GCC ivdep
  for (int x = first[0]; x < end; ++x) {
    i[0] = x;
    out(i) = local(in, i);
  }
}
template <bool past_caches, int D, class Kernel, class From, class To>
void run_new_row_stored(const Kernel& kernel, const From& from, const To& to, const Index<D>& i,
                        const int end, std::ptrdiff_t ahead) {
  if (from.has_equal_spacings())
    run_new_row_of<true, past_caches, D>(kernel, from, to, i, end, ahead);
  else
    run_new_row_of<false, past_caches, D>(kernel, from, to, i, end, ahead);
}
template <class T, int D, class Kernel>
void run_new_row(const Kernel& kernel, const FieldView<const T, D>& from, const FieldView<T, D>& to,
                 const Index<D>& i, const int end, const RowManner& manner) {
  if constexpr (is_in_arrays<T>) {
    run_new_row_in_arrays<D>(kernel, from, to, i, end);
  } else {
    if constexpr (can_stream<sizeof(T)>)
      if (manner.past_caches)
        return run_new_row_stored<true, D>(kernel, from, to, i, end, manner.ahead);
    run_new_row_stored<false, D>(kernel, from, to, i, end, manner.ahead);
  }
}

/// A kernel of points from one that returns the new value of a point.
template <class T, int D, class Kernel>
struct NewValues {
  FieldView<const T, D> from;
  FieldView<T, D> to;
  Kernel kernel;
  RowManner manner;

  KOKKOS_INLINE_FUNCTION void operator()(const Index<D>& i) const { to(i) = kernel(from, i); }
  /// Of the host: all of a row (see for_each_point).
  void row(const Index<D>& i, int end) const {
    run_new_row<T, D>(kernel, from, to, i, end, manner);
  }
  [[nodiscard]] StoreRule stores() const { return {manner.past_caches, manner.is_sure}; }
  void store_past_caches(bool past) { manner.past_caches = past; }
  /// Behind the rows of a thread.
  void finish() const {
    if (manner.past_caches) finish_streaming();
  }
};

}  // namespace cartwright::grid
