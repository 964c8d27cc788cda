// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/kernels/across_ranks.hpp>
#include <cartwright/grid/kernels/pending_reduction.hpp>
#include <cartwright/grid/kernels/rows.hpp>
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

/// A kernel with a reduction: `finish()` combines the ranks and stores the result, `start()` begins
/// to.
template <int D, class Kernel, class Reduction>
class ReducingSweep {
 public:
  ReducingSweep(const GridBase& grid, const Box<D>& owned, const Kernel& kernel,
                const Reduction& reduction)
      : sweep_(grid, owned, kernel),
        grid_(grid),
        kernel_(kernel),
        reduction_(reduction),
        mine_(owned) {}
  template <class Prologue = NoPrologue>
  void operator()(const Box<D>& box, const Prologue& prologue = {}) {
    mine_.add(box, kernel_, prologue);
  }
  void finish() {
    AcrossRanks<Reduction> all = finish_locally();
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().across_ranks);
    combine_across_ranks(grid_.comm(), all);
    *reduction_.result = all.value();
  }
  [[nodiscard]] PendingReduction<Reduction> start() {
    const AcrossRanks<Reduction> all = finish_locally();
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().across_ranks);
    return {grid_.comm(), all, reduction_.result};
  }

 private:
  [[nodiscard]] AcrossRanks<Reduction> finish_locally() {
    sweep_.finish();
    if (const HaloChecks* const checks = grid_.checks()) checks->check_result(mine_.suspect());
    return AcrossRanks<Reduction>(mine_.result());
  }

  Sweep<D, Kernel> sweep_;
  const GridBase& grid_;
  Kernel kernel_;
  Reduction reduction_;
  LocalReduction<D, Reduction> mine_;
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
