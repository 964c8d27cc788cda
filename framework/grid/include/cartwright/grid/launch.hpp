// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/across_ranks.hpp>
#include <cartwright/grid/grid_base.hpp>
#include <cartwright/grid/halo_checks.hpp>
#include <cartwright/grid/row_reduction.hpp>
#include <cartwright/grid/rows.hpp>
#include <cstddef>
#include <span>
#include <type_traits>

namespace cartwright::grid {

/// A kernel without a reduction, run on the boxes of one block. `finish()` ends the sweep.
template <int D, class Kernel>
class Sweep {
 public:
  Sweep(const GridBase& grid, const Box<D>&, const Kernel& kernel) : grid_(grid), kernel_(kernel) {
    static_assert(std::is_copy_constructible_v<Kernel>, "kernels are copied to threads");
    if (HaloChecks* const checks = grid.checks())
      checks->before_kernel(std::as_bytes(std::span(&kernel_, 1)));
  }
  template <class Prologue = NoPrologue>
  void operator()(const Box<D>& box, const Prologue& prologue = {}) {
    for_each_point<D>(box, kernel_, prologue);
  }
  void finish() {
    if (HaloChecks* const checks = grid_.checks()) checks->after_kernel();
  }

 private:
  const GridBase& grid_;
  Kernel kernel_;
};

/// A kernel with a reduction: `finish()` combines the ranks and stores the result.
template <int D, class Kernel, class Reduction>
class ReducingSweep {
 public:
  ReducingSweep(const GridBase& grid, const Box<D>& owned, const Kernel& kernel,
                const Reduction& reduction)
      : sweep_(grid, owned, kernel),
        grid_(grid),
        kernel_(kernel),
        reduction_(reduction),
        rows_(owned) {}
  template <class Prologue = NoPrologue>
  void operator()(const Box<D>& box, const Prologue& prologue = {}) {
    rows_.add(box, kernel_, prologue);
  }
  void finish() {
    sweep_.finish();
    const auto mine = rows_.result();
    if constexpr (std::is_floating_point_v<typename Reduction::Value>)
      if (const HaloChecks* const checks = grid_.checks()) checks->check_result(mine);
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().across_ranks);
    *reduction_.result = across_ranks<Reduction>(grid_.comm(), mine);
  }

 private:
  Sweep<D, Kernel> sweep_;
  const GridBase& grid_;
  Kernel kernel_;
  Reduction reduction_;
  RowReduction<D, Reduction> rows_;
};

template <int D, class Kernel>
[[nodiscard]] auto make_sweep(const GridBase& grid, const Box<D>& owned, const Kernel& kernel) {
  return Sweep<D, Kernel>(grid, owned, kernel);
}
template <int D, class Kernel, class Reduction>
[[nodiscard]] auto make_sweep(const GridBase& grid, const Box<D>& owned, const Kernel& kernel,
                              const Reduction& reduction) {
  return ReducingSweep<D, Kernel, Reduction>(grid, owned, kernel, reduction);
}

}  // namespace cartwright::grid
