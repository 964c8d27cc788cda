// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/halo_plan.hpp>
#include <cartwright/grid/halo_regions.hpp>
#include <memory>
#include <span>
#include <vector>

namespace cartwright::grid {

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
    const rt::Tag tag{static_cast<int>(plans_.size())};
    return *plans_.emplace_back(std::make_unique<HaloPlan<D>>(grid_, shapes, tag));
  }

 private:
  const GridBase& grid_;
  rt::Trace& trace_;
  HaloRegions regions_;
  std::vector<std::unique_ptr<HaloPlan<D>>> plans_;
};

}  // namespace cartwright::grid
