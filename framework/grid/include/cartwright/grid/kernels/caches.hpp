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

}  // namespace cartwright::grid
