// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace cartwright::grid
