// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cartwright/grid/space/block.hpp>
#include <cstddef>
#include <exception>
#include <vector>

namespace cartwright::grid {

/// Below this many points a parallel region costs more than it saves.
inline constexpr long long fewest_points_for_threads = 4096;

/// What a formula of a deck costs at a point, about, in points of a kernel.
inline constexpr long long points_for_a_formula = 32;

/// How many threads had better share work over `points` points that is made of `pieces`: one at
/// least, and no more than there are pieces. Host only, like all here.
[[nodiscard]] inline int threads_for(long long points, long long pieces) {
  if (points < fewest_points_for_threads) return 1;
  // NOLINTNEXTLINE(readability-static-accessed-through-instance): static in Kokkos 3 only
  const long long threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  return static_cast<int>(std::clamp(pieces, 1LL, threads));
}

/// Not inline, so that a kernel is compiled once, not for one thread and again for several.
template <class Body>
[[gnu::noinline]] void run_part(const Body& body, const int part) {
  body(part);
}

/// Calls `body(part)` for the parts 0 … parts - 1 of some work, each on a thread of its own.
template <class Body>
void for_parts(int parts, const Body& body) {
  if (parts == 1) return run_part(body, 0);
  using Policy =
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Static>>;
  Kokkos::parallel_for("cartwright::parts", Policy(0, parts),
                       [=](const int part) { run_part(body, part); });
}

/// Calls `body(from, to)` for ranges of the pieces 0 … pieces - 1 of work over `points` points: one
/// range for each thread that shares it, about equally long.
template <class Body>
void for_ranges(long long points, long long pieces, const Body& body) {
  const int parts = threads_for(points, pieces);
  for_parts(parts, [=](const int part) {
    const PartRange range = part_range(pieces, parts, part);
    body(range.begin, range.end);
  });
}

/// What `body(from, to)` returns for the ranges of `for_ranges`, in their order.
template <class Body>
[[nodiscard]] auto results_of_ranges(long long points, long long pieces, const Body& body) {
  const int parts = threads_for(points, pieces);
  std::vector<decltype(body(0LL, 0LL))> results(static_cast<std::size_t>(parts));
  auto* const result = results.data();
  for_parts(parts, [=](const int part) {
    const PartRange range = part_range(pieces, parts, part);
    result[part] = body(range.begin, range.end);
  });
  return results;
}

/// for_ranges of a body that may throw: the fault of the first range that has one is thrown here,
/// when all have ended.
template <class Body>
void for_ranges_or_throw(long long points, long long pieces, const Body& body) {
  const auto fault_of = [&body](long long from, long long to) -> std::exception_ptr {
    try {
      body(from, to);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  };
  for (const std::exception_ptr& fault : results_of_ranges(points, pieces, fault_of))
    if (fault) std::rethrow_exception(fault);
}

}  // namespace cartwright::grid
