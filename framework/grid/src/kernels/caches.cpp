// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/mapping/machine/core_caches.hpp>

namespace cartwright::grid {

std::size_t bytes_of_own_cache() {
  return mapping::core_caches().own;
}

std::size_t bytes_of_core_caches() {
  return mapping::core_caches().own + mapping::core_caches().share;
}

std::size_t bytes_of_caches() {
  // NOLINTNEXTLINE(readability-static-accessed-through-instance): static in Kokkos 3 only
  const int threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  return static_cast<std::size_t>(threads) * bytes_of_core_caches();
}

}  // namespace cartwright::grid
