// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/exchange/halo_plan.hpp>
#include <cartwright/grid/field/grid.hpp>
#include <cartwright/rt/trace.hpp>
#include <memory>
#include <span>
#include <vector>

namespace cartwright::grid {

/// What the timeline and the report call the phases of an exchange, and the exchange itself: its
/// own time is what none of them takes.
struct HaloRegions {
  explicit HaloRegions(rt::Trace& trace)
      : exchange(trace.region("exchange")),
        plan(trace.region("halo plans")),
        pack(trace.region("halo pack")),
        boundary(trace.region("boundary")),
        interior(trace.region("kernel interior")),
        wait(trace.region("halo wait")),
        unpack(trace.region("halo unpack")),
        shell(trace.region("kernel shell")) {}

  rt::RegionId exchange, plan, pack, boundary, interior, wait, unpack, shell;
};

/// The plans of a grid, made when first needed and reused: one for each list of field shapes, and
/// one more when the same list is exchanged again while the first exchange is still in flight.
template <int D>
class HaloPlans {
 public:
  HaloPlans(const GridBase& grid, rt::Trace& trace) : grid_(grid), trace_(trace), regions_(trace) {}

  [[nodiscard]] const HaloRegions& regions() const noexcept { return regions_; }

  /// A plan that is not busy. Ranks must ask in the same order: making one is collective.
  [[nodiscard]] HaloPlan<D>& find(std::span<const FieldShape> shapes) {
    for (const auto& plan : plans_)
      if (!plan->busy() && plan->fits(shapes)) return *plan;
    const rt::Timed timed(trace_, regions_.plan);
    return *plans_.emplace_back(
        std::make_unique<HaloPlan<D>>(grid_, shapes, grid_.next_halo_tag()));
  }

 private:
  const GridBase& grid_;
  rt::Trace& trace_;
  HaloRegions regions_;
  std::vector<std::unique_ptr<HaloPlan<D>>> plans_;
};

/// The plans of `grid`.
template <int D>
[[nodiscard]] HaloPlans<D>& plans_of(Grid<D>& grid) {
  std::shared_ptr<HaloPlans<D>>& plans = grid.plans();
  if (!plans) plans = std::make_shared<HaloPlans<D>>(grid, grid.trace());
  return *plans;
}

}  // namespace cartwright::grid
