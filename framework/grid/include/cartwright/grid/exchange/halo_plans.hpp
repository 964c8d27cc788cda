// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/exchange/fused_memory.hpp>
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
        messages{trace.region("halo pack"), trace.region("halo wait"), trace.region("halo unpack")},
        boundary(trace.region("boundary")),
        interior(trace.region("kernel interior")),
        shell(trace.region("kernel shell")) {}

  rt::RegionId exchange, plan;
  comm::NeighbourRegions messages;
  rt::RegionId boundary, interior, shell;
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
      if (!plan->messages().busy() && plan->fits(shapes)) return *plan;
    const rt::Timed timed(trace_, regions_.plan);
    return *plans_.emplace_back(std::make_unique<HaloPlan<D>>(grid_, shapes, regions_.messages));
  }
  /// What steps at once need (see fused()).
  [[nodiscard]] FusedMemory& fused_memory() noexcept { return fused_memory_; }

 private:
  const GridBase& grid_;
  rt::Trace& trace_;
  HaloRegions regions_;
  FusedMemory fused_memory_;
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
