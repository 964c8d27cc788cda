// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/space/coordinates.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <memory>

namespace cartwright::grid {

template <int D>
class HaloPlans;

/// A Cartesian grid of D dimensions, spread over the ranks of a remapped communicator. Extents,
/// geometry, periodicity and mapping come from the deck. Fields refer to their grid: it must live
/// longer than they do.
template <int D>
class Grid : public GridBase {
 public:
  /// Collective. Throws an input error if the deck's extents don't fit the number of ranks.
  explicit Grid(Run& run) : GridBase(run, D) {}

  /// Local extents of a field with this centring.
  [[nodiscard]] Index<D> local_extent(Centring centring) const {
    const Block mine = block(centring);
    Index<D> extent{};
    for (int axis = 0; axis < D; ++axis)
      extent[axis] = static_cast<int>(mine.count[static_cast<std::size_t>(axis)]);
    return extent;
  }

  [[nodiscard]] Coordinates<D> coordinates(Centring centring = Centring::cell) const {
    const Block mine = block(centring);
    Coordinates<D> result{};
    for (int axis = 0; axis < D; ++axis) {
      result.start[axis] = mine.start[static_cast<std::size_t>(axis)];
      result.origin[axis] = origin(axis);
      result.spacing[axis] = spacing(axis);
    }
    result.shift = centring == Centring::cell ? 0.5 : 0.0;
    return result;
  }

  /// What exchanges of its fields have planned; see plans_of.
  [[nodiscard]] std::shared_ptr<HaloPlans<D>>& plans() noexcept { return plans_; }

 private:
  std::shared_ptr<HaloPlans<D>> plans_;
};

}  // namespace cartwright::grid
