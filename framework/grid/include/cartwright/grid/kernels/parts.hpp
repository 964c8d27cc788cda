// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/kernels/rows.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::grid {

/// Into how many parts work over so many points had better be cut; at most `most`.
[[nodiscard]] inline long long parts_for_threads(long long points, long long most) {
  if (runs_in_one_thread(points)) return 1;
  // NOLINTNEXTLINE(readability-static-accessed-through-instance): static in Kokkos 3 only
  return std::min<long long>(Kokkos::DefaultHostExecutionSpace().concurrency(), most);
}

/// Calls `body(number)` for the parts 0 … parts - 1 of some work, on all threads. Host only.
template <class Body>
void for_parts(long long parts, const Body& body) {
  if (parts == 1) return body(0LL);
  using Policy =
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Static>,
                          Kokkos::IndexType<long long>>;
  Kokkos::parallel_for("cartwright::parts", Policy(0, parts),
                       [=](const long long number) { body(number); });
}

/// What `body(number)` returns for the parts 0 … parts - 1 of some work, on all threads. Host only.
template <class Body>
[[nodiscard]] auto results_of_parts(long long parts, const Body& body) {
  std::vector<decltype(body(0LL))> results(static_cast<std::size_t>(parts));
  auto* const result = results.data();
  for_parts(parts, [=](const long long number) { result[number] = body(number); });
  return results;
}

}  // namespace cartwright::grid
