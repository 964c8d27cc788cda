// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cstddef>

namespace cartwright::grid {

/// Calls `kernel(p)` for every particle that this rank owns, on all threads of the host; views
/// know the particle by this number.
template <class Kernel>
void for_each(const Particles& particles, const Kernel& kernel) {
  const GridBase& grid = particles.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().for_each);
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Range = Kokkos::RangePolicy<Host, Kokkos::IndexType<std::ptrdiff_t>>;
  Kokkos::parallel_for("particles", Range(0, static_cast<std::ptrdiff_t>(particles.size())),
                       [kernel](std::ptrdiff_t p) { kernel(p); });
  Host().fence();
}

}  // namespace cartwright::grid
