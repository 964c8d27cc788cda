// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/field/arrays_view.hpp>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/kernels/streaming_stores.hpp>

namespace cartwright::grid {

/// `to(i) = kernel(from, i)` for one row of points, from `i` on. As run_row: copies on the stack.
/// `has_equal_spacings`: that of `from`, known before the loop, which has no branch then (g++ 12
/// leaves it scalar otherwise).
template <bool has_equal_spacings, int D, class Kernel, class From, class To>
[[gnu::always_inline]] inline void run_new_row_of(const Kernel& kernel, const From& from,
                                                  const To& to, Index<D> i, const int end) {
  const Kernel local = kernel;
  const From in = from.with_equal_spacings(has_equal_spacings);
  const To out = to;
#pragma GCC ivdep
  for (int x = i[0]; x < end; ++x) {
    i[0] = x;
    out(i) = local(in, i);
  }
}
template <int D, class Kernel, class From, class To>
[[gnu::flatten]] inline void run_new_row(const Kernel& kernel, const From& from, const To& to,
                                         const Index<D>& i, const int end) {
  if (from.has_equal_spacings())
    run_new_row_of<true, D>(kernel, from, to, i, end);
  else
    run_new_row_of<false, D>(kernel, from, to, i, end);
}

/// The same past the caches, by way of a few lines on the stack.
template <bool has_equal_spacings, int D, class Kernel, class From, class To>
[[gnu::always_inline]] inline void run_streamed_row_of(const Kernel& kernel, const From& from,
                                                       const To& to, Index<D> i, const int end) {
  using Element = typename To::Element;
  constexpr int most = std::max<int>(2048 / static_cast<int>(sizeof(Element)), 1);
  alignas(64) Element values[most];
  const Kernel local = kernel;
  const From in = from.with_equal_spacings(has_equal_spacings);
  while (i[0] < end) {
    const int count = std::min(most, end - i[0]);
    Index<D> at = i;
#pragma GCC ivdep
    for (int k = 0; k < count; ++k) {
      at[0] = i[0] + k;
      values[k] = local(in, at);
    }
    stream(values, to.row(i), static_cast<std::size_t>(count) * sizeof(Element));
    i[0] += count;
  }
}
template <int D, class Kernel, class From, class To>
[[gnu::flatten]] inline void run_streamed_row(const Kernel& kernel, const From& from, const To& to,
                                              const Index<D>& i, const int end) {
  if (from.has_equal_spacings())
    run_streamed_row_of<true, D>(kernel, from, to, i, end);
  else
    run_streamed_row_of<false, D>(kernel, from, to, i, end);
}

/// A kernel of points from one that returns the new value of a point.
template <class T, int D, class Kernel>
struct NewValues {
  FieldView<const T, D> from;
  FieldView<T, D> to;
  Kernel kernel;
  bool past_caches;  ///< nobody reads the new values soon: they are too many

  KOKKOS_INLINE_FUNCTION void operator()(const Index<D>& i) const { to(i) = kernel(from, i); }
  /// Of the host: all of a row (see for_each_point).
  void row(const Index<D>& i, int end) const {
    if constexpr (!is_in_arrays<T> && has_streaming_stores)
      if (past_caches) return run_streamed_row<D>(kernel, from, to, i, end);
    run_new_row<D>(kernel, from, to, i, end);
  }
};

/// Whether a field of so many bytes on this rank is gone from the caches before it is read again:
/// storing past them then saves reading what is overwritten. Where that begins wasn't measured.
[[nodiscard]] inline bool leaves_caches(std::size_t bytes) {
  constexpr std::size_t fewest_bytes = std::size_t{16} << 20U;
  return has_streaming_stores && bytes >= fewest_bytes;
}

}  // namespace cartwright::grid
