// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/streaming_stores.hpp>
#include <cstddef>

namespace cartwright::grid {

/// The bytes of a core's own cache.
[[nodiscard]] std::size_t bytes_of_own_cache();

/// The bytes of a core's own cache and of its share of the last one.
[[nodiscard]] std::size_t bytes_of_core_caches();

/// The bytes of all caches on which the threads of this process may count.
[[nodiscard]] std::size_t bytes_of_caches();

/// The share of caches that these cores have in truth is known by no more than such a factor.
inline constexpr std::size_t doubt_about_caches = 4;

/// False where values of so many bytes, and as many that are made of them, surely stay in caches.
[[nodiscard]] inline bool may_leave_caches(std::size_t bytes) {
  return 2 * bytes * doubt_about_caches >= bytes_of_caches();
}

/// Whether a field of so many bytes on this rank is gone from the caches before it is read again,
/// it and the one that it is made from: storing past them then saves reading what is overwritten.
/// Measured on two processors (docs/evidence/2026-11-27_rows_and_caches).
[[nodiscard]] inline bool leaves_caches(std::size_t bytes) {
  return has_streaming_stores && 2 * bytes > bytes_of_caches();
}

/// Whether that much is certain: there are clearly too many bytes, or clearly few enough, whatever
/// share of the caches these cores have in truth.
[[nodiscard]] inline bool is_sure_to_leave_or_stay(std::size_t bytes) {
  return !has_streaming_stores || !may_leave_caches(bytes) ||
         2 * bytes > doubt_about_caches * bytes_of_caches();
}

}  // namespace cartwright::grid
