// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/kernels/across_ranks.hpp>
#include <cartwright/grid/kernels/pending_reduction.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cstddef>
#include <span>
#include <type_traits>

namespace cartwright::grid {

/// Checked mode: before and after a kernel of particles (see HaloChecks). What it reads of a stale
/// ghost, by Interpolation for example, it leaves in a particle's numbers.
template <class Kernel>
void check_before(const Particles& particles, const Kernel& kernel) {
  if (HaloChecks* const checks = particles.grid().checks())
    checks->before_kernel(std::as_bytes(std::span(&kernel, 1)));
}
inline void check_after(const Particles& particles, double suspect) {
  if (const HaloChecks* const checks = particles.grid().checks()) {
    checks->check_result(suspect);
    checks->check_result(particles.suspect());
  }
}

/// Calls `kernel(p)` for every particle that this rank owns, on all threads of the host; views
/// know the particle by this number.
template <class Kernel>
void for_each(const Particles& particles, const Kernel& kernel) {
  const GridBase& grid = particles.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().for_each);
  check_before(particles, kernel);
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Range = Kokkos::RangePolicy<Host, Kokkos::IndexType<std::ptrdiff_t>>;
  Kokkos::parallel_for("particles", Range(0, static_cast<std::ptrdiff_t>(particles.size())),
                       [kernel](std::ptrdiff_t p) { kernel(p); });
  Host().fence();
  check_after(particles, 0.0);
}

/// What a kernel makes of this rank's particles.
template <class Kernel, class Reduction>
[[nodiscard]] AcrossRanks<Reduction> reduce_locally(const Particles& particles,
                                                    const Kernel& kernel, const Reduction&) {
  using Value = typename Reduction::Value;
  static_assert(std::is_invocable_v<const Kernel&, std::ptrdiff_t, Value&>,
                "cartwright: the kernel of a reduction takes a particle's number and a reference "
                "to what Sum, Min or Max names, of its type: [=](std::ptrdiff_t p, double& total) "
                "{ ... }");
  const GridBase& grid = particles.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().reduce);
  const Box<1> all{{0}, {static_cast<int>(particles.size())}};
  check_before(particles, kernel);
  LocalReduction<1, Reduction> mine(all);
  mine.add_on_host(all, [kernel](const Index<1>& p, Value& value) { kernel(p[0], value); });
  check_after(particles, mine.suspect());
  return AcrossRanks<Reduction>(mine.result());
}

/// Collective. Calls `kernel(p, value)` for every particle and stores what those of all ranks
/// contribute: `reduce(dust, [=](std::ptrdiff_t p, double& total) { total += mass(p); },
/// Sum(all))`. Sums have the same bits on any number of ranks and threads.
template <class Kernel, class Reduction>
void reduce(const Particles& particles, const Kernel& kernel, const Reduction& reduction) {
  AcrossRanks<Reduction> all = reduce_locally(particles, kernel, reduction);
  const GridBase& grid = particles.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().across_ranks);
  combine_across_ranks(particles.ranks(), all, reduction.site);
  *reduction.result = all.value();
}

/// Collective. The same, but returns while the ranks combine theirs: see PendingReduction.
template <class Kernel, class Reduction>
[[nodiscard]] PendingReduction<Reduction> start_reduce(const Particles& particles,
                                                       const Kernel& kernel,
                                                       const Reduction& reduction) {
  return {particles.ranks(), reduce_locally(particles, kernel, reduction), reduction};
}

}  // namespace cartwright::grid
