// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/kernels/across_ranks.hpp>
#include <cartwright/grid/kernels/pending_reduction.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/kernels/sweep_trial.hpp>
#include <cstddef>
#include <span>
#include <type_traits>

namespace cartwright::grid {

/// Whether a kernel's second parameter is a copy, in which results would be lost.
template <class>
struct TakesCopy {};
template <class Kernel, class Result, class Point, class Value>
struct TakesCopy<Result (Kernel::*)(Point, Value) const>
    : std::bool_constant<!std::is_reference_v<Value>> {};

template <int D, class Kernel, class... Value>
[[nodiscard]] constexpr bool is_kernel_of_points() {
  constexpr bool fits = std::is_invocable_v<const Kernel&, Index<D>&, Value&...>;
  if constexpr (!fits && std::is_invocable_v<Kernel&, Index<D>&, Value&...>)
    static_assert(fits,
                  "cartwright: a kernel can't be mutable: points are independent of each other; to "
                  "add something up, end the call with a reduction: kernel, cw::Sum(total)");
  else if constexpr (sizeof...(Value) == 0)
    static_assert(fits,
                  "cartwright: a kernel takes one point of the field's grid: "
                  "KOKKOS_LAMBDA(cw::Index<D> i) { ... }, D as in Field<T, D>");
  else
    static_assert(fits,
                  "cartwright: the kernel of a reduction takes a point and a reference to what "
                  "Sum, Min or Max names, of its type: KOKKOS_LAMBDA(cw::Index<D> i, double& "
                  "total) { ... }");
  if constexpr (fits && requires { TakesCopy<decltype(&Kernel::operator())>::value; })
    static_assert(!TakesCopy<decltype(&Kernel::operator())>::value,
                  "cartwright: the kernel of a reduction gets a reference: double& total");
  return fits;
}

/// Says in one line what is wrong with a kernel; false then. Kernels of kernels say it themselves.
template <int D, class Kernel, class... Value>
[[nodiscard]] constexpr bool is_kernel() {
  if constexpr (requires { Kernel::template fits<D, Value...>(); }) {
    return Kernel::template fits<D, Value...>();
  } else if constexpr ((has_packs<Value> && ...) &&
                       requires { Kernel::template takes_packs<D, Value...>(); }) {
    constexpr bool fits = Kernel::template takes_packs<D, Value...>();
    static_assert(
        fits,
        "cartwright: in_packs() takes a kernel of points and of packs of them: a struct "
        "with template <class Point> void operator()(const Point& i) const; of a "
        "reduction, template <class Point, class Value> … (const Point& i, Value& total)");
    return fits;
  } else {
    return is_kernel_of_points<D, Kernel, Value...>();
  }
}

/// A kernel without a reduction, run on the boxes of one block. `finish()` ends the sweep.
template <int D, class Kernel>
class Sweep {
 public:
  Sweep(const GridBase& grid, const Box<D>&, const Kernel& kernel) : grid_(grid), kernel_(kernel) {
    if (HaloChecks* const checks = grid.checks())
      checks->before_kernel(std::as_bytes(std::span(&kernel_, 1)));
  }
  template <class Prologue = NoPrologue>
  void operator()(const Box<D>& box, const Prologue& prologue = {}) {
    if constexpr (is_kernel<D, Kernel>()) for_each_point<D>(box, kernel_, prologue);
  }
  [[nodiscard]] StoreRule stores() const requires StoresEitherWay<Kernel> {
    return kernel_.stores();
  }
  void store_past_caches(bool past) requires StoresEitherWay<Kernel> {
    kernel_.store_past_caches(past);
  }
  void finish() {
    if constexpr (!kernels_run_on_host) Execution().fence();
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
    if constexpr (is_kernel<D, Kernel, typename Reduction::Value>())
      mine_.add(box, kernel_, prologue);
  }
  void finish() {
    AcrossRanks<Reduction> all = finish_locally();
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().across_ranks);
    combine_across_ranks(grid_.comm(), all, reduction_.site);
    *reduction_.result = all.value();
  }
  [[nodiscard]] PendingReduction<Reduction> start() {
    const AcrossRanks<Reduction> all = finish_locally();
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().across_ranks);
    return {grid_.comm(), all, reduction_};
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
