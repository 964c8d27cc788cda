// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/field/arrays_view.hpp>
#include <cartwright/grid/field/field_view.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::grid {

/// What is fetched for kernels that look `reach` points far: of the plane (of two dimensions: the
/// row) that is new to them, what is computed when memory has delivered: in three dimensions some
/// rows later, in two further along the row. Of lines nothing: processors follow them.
/// Measured: docs/evidence/2026-11-30_fetched_rows, 2026-11-30_rows_in_overlap.
template <class T, int D>
[[nodiscard]] std::ptrdiff_t elements_ahead(const FieldView<const T, D>& from, int reach) {
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  if constexpr (D == 3 && !is_in_arrays<T>) {
    constexpr std::ptrdiff_t bytes = 6144, fewest_rows = 2;
    const auto row = from.stride(1) * size;
    return reach * from.stride(2) + std::max((bytes + row - 1) / row, fewest_rows) * from.stride(1);
  }
  if constexpr (D == 2 && !is_in_arrays<T>) {
    constexpr std::ptrdiff_t bytes = 8192;
    return reach * from.stride(1) + bytes / size;
  }
  return 0;
}

/// Into a core's own cache, soon: so many points that stand `ahead` elements behind a point and
/// those after it, or nothing where there is no memory. Not into its first level, where they would
/// displace what is read meanwhile (a step of heat of 256³ in blocks of rows took 1.6 times as long
/// on an EPYC). Always inlined: g++ 12 drops calls of functions that do nothing but this.
template <class T, int D>
[[gnu::always_inline]] inline void fetch_points(const FieldView<const T, D>& from,
                                                const Index<D>& at, std::ptrdiff_t ahead,
                                                int points) {
  if (ahead == 0) return;
  constexpr std::ptrdiff_t line = 64;
  constexpr int to_read = 0, into_second_level = 2;
  const auto first = reinterpret_cast<std::uintptr_t>(from.row(at)) +
                     static_cast<std::uintptr_t>(ahead) * sizeof(T);
  const auto bytes = points * static_cast<std::ptrdiff_t>(sizeof(T));
  for (std::ptrdiff_t byte = 0; byte < bytes; byte += line) {
    // An address that may lie beyond its array. NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* const place = reinterpret_cast<const void*>(first + static_cast<std::size_t>(byte));
    __builtin_prefetch(place, to_read, into_second_level);
  }
}

/// What a kernel will read of one field is fetched before a row of it (see RowPrologue).
template <class T, int D>
struct RowFetch {
  FieldView<const T, D> view;
  std::ptrdiff_t ahead = 0;  ///< see elements_ahead(); 0: nothing is fetched

  void operator()(const Index<D>& first, int end) const {
    if constexpr (!is_in_arrays<T>) fetch_points(view, first, ahead, end - first[0]);
  }
};

}  // namespace cartwright::grid
