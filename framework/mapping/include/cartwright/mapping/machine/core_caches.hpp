// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cartwright::mapping {

/// What a core has of the caches, in bytes: a cache that cores share counts for each by its part.
struct CoreCaches {
  std::size_t own = std::size_t{1} << 20U;  ///< of the second level
  std::size_t share = 0;                    ///< of the last level; 0: there is no further one
};

/// Of the cores on which this process may run, as hwloc sees them; what it doesn't see is a guess.
/// Asked once.
[[nodiscard]] const CoreCaches& core_caches();

}  // namespace cartwright::mapping
