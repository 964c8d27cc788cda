// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/launch.hpp>

namespace cartwright::grid {

/// Calls `kernel(i)` for every owned point of `field`, on all threads (or the device). Ghosts that
/// the kernel reads must have been exchanged.
template <class T, int D, class Kernel>
void for_each(const Field<T, D>& field, const Kernel& kernel) {
  const GridBase& grid = field.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().for_each);
  auto sweep = make_sweep<D>(grid, field.owned(), kernel);
  sweep(field.owned());
  sweep.finish();
}

/// Collective. Calls `kernel(i, value)` for every owned point of `field` and stores what the points
/// of all ranks contribute: `reduce(u, kernel, Sum(total))`.
template <class T, int D, class Kernel, class Reduction>
void reduce(const Field<T, D>& field, const Kernel& kernel, const Reduction& reduction) {
  const GridBase& grid = field.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().reduce);
  auto sweep = make_sweep<D>(grid, field.owned(), kernel, reduction);
  sweep(field.owned());
  sweep.finish();
}

/// Collective. The same, but returns when this rank's points are done, while the ranks combine
/// theirs: `auto sum = start_reduce(u, kernel, Sum(total)); …; sum.wait();`.
template <class T, int D, class Kernel, class Reduction>
[[nodiscard]] PendingReduction<Reduction> start_reduce(const Field<T, D>& field,
                                                       const Kernel& kernel,
                                                       const Reduction& reduction) {
  const GridBase& grid = field.grid();
  const rt::Timed timed(grid.trace(), grid.kernel_regions().reduce);
  auto sweep = make_sweep<D>(grid, field.owned(), kernel, reduction);
  sweep(field.owned());
  return sweep.start();
}

}  // namespace cartwright::grid
