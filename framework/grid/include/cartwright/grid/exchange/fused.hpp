// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/fused_sweep.hpp>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/run/steps.hpp>
#include <span>
#include <type_traits>
#include <vector>

namespace cartwright::grid {

/// Says in one line what is wrong with a kernel of fused(); false then.
template <class T, int D, class Kernel>
[[nodiscard]] constexpr bool is_fused_kernel() {
  using Result = std::invoke_result<const Kernel&, const FieldView<const T, D>&, Index<D>&>;
  constexpr bool fits = std::is_invocable_v<const Kernel&, const FieldView<const T, D>&, Index<D>&>;
  static_assert(fits,
                "cartwright: a kernel of fused() takes the view that it reads and a point: "
                "KOKKOS_LAMBDA(const cw::FieldView<const T, D>& in, cw::Index<D> i) { return …; }");
  if constexpr (fits)
    static_assert(std::is_convertible_v<typename Result::type, ElementOf<T>>,
                  "cartwright: a kernel of fused() returns the new value of its point");
  return fits;
}

/// The steps that one call of fused() makes.
template <class T, int D, class Kernel>
class FusedSteps {
 public:
  FusedSteps(const Step& step, Field<T, D>& u, Field<T, D>& next, const Kernel& kernel)
      : step_(step), u_(u), next_(next), grid_(u.typed_grid()), kernel_(kernel) {}

  void run() {
    if (step_.count == 1) return make_one();
    exchange(u_).at(step_.time).wait();
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().fused);
    if (!make_in_cache()) make_one_by_one();
  }

 private:
  [[nodiscard]] NewValues<T, D, Kernel> new_values() {
    return {u_.view().reading(), next_.view(), kernel_, manner()};
  }
  /// What isn't in a core's own cache is fetched.
  [[nodiscard]] RowManner manner() const {
    const auto bytes = static_cast<std::size_t>(u_.owned().size()) * sizeof(ElementOf<T>);
    const bool fetches = bytes > bytes_of_own_cache();
    return {leaves_caches(bytes), fetches ? elements_ahead(u_.view().reading(), u_.reach()) : 0,
            is_sure_to_leave_or_stay(bytes)};
  }

  void make_one() {
    Exchange<D, Field<T, D>>(GhostsWanted::of_one_step, u_).at(step_.time).overlap(new_values());
    swap(u_, next_);
  }

  /// With sweeps over all of the block: where values aren't computed by the host, or ghosts by
  /// whatever rule of the user's own.
  void make_one_by_one() {
    for (int number = 1; number <= step_.count; ++number) {
      if (number > 1) u_.fill_boundary(step_.time_of(number), Field<T, D>::Corners::all);
      auto sweep = make_sweep<D>(grid_, u_.owned(), new_values());
      sweep(block().box_of(u_.owned(), number));
      sweep.finish();
      swap(u_, next_);
    }
  }

  /// False where that can't be done.
  [[nodiscard]] bool make_in_cache() {
    if constexpr (!kernels_run_on_host || is_in_arrays<T>) {
      return false;
    } else {
      for (int face = 0; face < 2 * D; ++face)
        if (u_.has_users_rule(Face::from_number(face))) return false;
      const FusedBlock<D> block = this->block();
      const int threads = threads_for(u_.owned().size(), u_.owned().size());
      const auto parts = parts_of<D>(block, {bytes_of_own_cache(), sizeof(ElementOf<T>), threads});
      const auto layout = FusedSweep<T, D, Kernel>::ring_layout(block, widest(parts));
      const auto rings =
          plans_of(grid_).fused_memory().rings(threads, step_.count - 1, layout.bytes());
      if (rings.empty()) return false;
      make_parts(block, parts, layout, rings);
      return true;
    }
  }
  template <class Layout>
  void make_parts(const FusedBlock<D>& block, const std::vector<Box<D>>& parts,
                  const Layout& layout, std::span<const rt::RingMemory> rings) {
    std::vector<StepWalls<T, D>> walls;
    for (int number = 1; number < step_.count; ++number)
      walls.emplace_back(u_, block, step_.time_of(number + 1));
    const FusedSweep<T, D, Kernel> sweep(block, u_.view().reading(), next_.view(), walls, kernel_,
                                         manner());
    const auto per_thread = static_cast<std::size_t>(step_.count - 1);
    const int threads = static_cast<int>(rings.size() / per_thread);
    const auto count = static_cast<long long>(parts.size());
    for_parts(threads, [&](int thread) {
      const auto mine = rings.subspan(static_cast<std::size_t>(thread) * per_thread, per_thread);
      const PartRange range = part_range(count, threads, thread);
      for (long long part = range.begin; part < range.end; ++part)
        sweep.run(parts[static_cast<std::size_t>(part)], layout, mine);
      finish_streaming();
    });
    swap(u_, next_);
  }

  [[nodiscard]] FusedBlock<D> block() const {
    FusedBlock<D> block{u_.owned(), u_.reach(), step_.count, {}};
    for (int face = 0; face < 2 * D; ++face)
      block.is_wall[face] = grid_.is_boundary(Face::from_number(face));
    return block;
  }
  [[nodiscard]] static Index<D> widest(const std::vector<Box<D>>& parts) {
    Index<D> extent{};
    for (const Box<D>& part : parts)
      for (int axis = 0; axis < D; ++axis) extent[axis] = std::max(extent[axis], part.extent(axis));
    return extent;
  }

  const Step& step_;
  Field<T, D>& u_;
  Field<T, D>& next_;
  Grid<D>& grid_;
  Kernel kernel_;
};

/// Makes the steps of one turn of a loop `run.steps(u).fused()`: exchanges ghosts once, and
/// computes `kernel(in, i)` for all owned points, step.count times one after the other, while the
/// values are in cache. `in` is what a step starts from, a `FieldView<const T, D>`; the kernel
/// returns the new value of point i, and looks no further along any axis than the field's
/// `FieldOptions::halo`. `u` has the new values then; `next`, which is like it, is for the call's
/// own use.
///
/// The same bits as step by step. Whatever else the kernel reads at other points than its own must
/// have ghosts as far out: a field of the same options, exchanged before.
template <class T, int D, class Kernel>
void fused(const Step& step, Field<T, D>& u, Field<T, D>& next, const Kernel& kernel) {
  if constexpr (is_fused_kernel<T, D, Kernel>()) {
    if (step.count > u.steps_at_once() || step.count > next.steps_at_once())
      throw rt::internal_failure("fused() was called with a field whose ghosts are too few",
                                 "Make it with FieldOptions{.fused = true}, and give it to "
                                 "run.steps(…).",
                                 rt::Reach::all_ranks);
    FusedSteps<T, D, Kernel>(step, u, next, kernel).run();
  }
}

}  // namespace cartwright::grid
