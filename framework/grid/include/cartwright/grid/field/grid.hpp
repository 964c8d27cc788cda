// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/cell_tables.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/space/cells.hpp>
#include <cartwright/grid/space/coordinates.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <memory>

namespace cartwright::grid {

template <int D>
class HaloPlans;

/// A Cartesian grid of D dimensions, spread over the ranks of a remapped communicator. Extents,
/// geometry and periodicity come from the deck, or from a GridSpec: a program may have several
/// grids. Fields refer to their grid: it must live longer than they do.
template <int D>
class Grid : public GridBase {
 public:
  /// Collective. Throws an input error if the deck's extents don't fit the number of ranks.
  explicit Grid(Run& run) : GridBase(run, D) {}
  Grid(const Grid&) noexcept(refused::CopiedGrid<D>::value);
  Grid& operator=(const Grid&) = delete;
  ~Grid() = default;
  /// Collective. A grid of the program's own, mapped as the deck says, if there is one.
  Grid(Run& run, const GridSpec& spec) : GridBase(run, spec, D) {}
  Grid(App& app, const GridSpec& spec) : GridBase(app, spec, D) {}
  /// A grid on the ranks of another one (neighbours stay neighbours): a coarser one, say. Local;
  /// collective if it is whole on every rank.
  Grid(const Grid& other, const GridSpec& spec) : GridBase(other, spec) {}
  /// On some of the other one's ranks, other.ranks_of(groups), which alone make it: `spec` has
  /// joined_cuts. A GroupTransfer carries values there and back.
  Grid(const Grid& other, const GridSpec& spec, std::shared_ptr<GridRanks> ranks)
      : GridBase(other, spec, std::move(ranks)) {}

  /// A grid whose cells are `factors` of these along each axis, cut where this one is: for
  /// Grid(*this, coarser(…)). Where an extent isn't a multiple, the last cells reach beyond the
  /// end: as far as there were cells enough (mirror images, where they are stretched).
  [[nodiscard]] GridSpec coarser(const Index<D>& factors) const;

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
      result.spacing[axis] = description().spacing(axis);
      result.shift[axis] = offset_in_cell(centring, axis);
      result.places[axis] = is_stretched(axis) ? tables()->axis(axis, centring).positions : nullptr;
    }
    return result;
  }

  /// What differences of a field with this centring need to know of stretched cells; only where
  /// is_stretched().
  [[nodiscard]] StretchedCells<D> stretched_cells(Centring centring) const {
    const Block mine = block(centring);
    StretchedCells<D> cells{};
    for (int axis = 0; axis < D; ++axis) {
      const CellTables::Axis table = tables()->axis(axis, centring);
      const long long start = mine.start[static_cast<std::size_t>(axis)];
      cells.inverse_width[axis] = table.inverse_width + start;
      cells.inverse_step[axis] = table.inverse_step + start;
      cells.is_nodal[axis] = grid::is_nodal(centring, axis);
    }
    return cells;
  }

  /// What exchanges of its fields have planned; see plans_of.
  [[nodiscard]] std::shared_ptr<HaloPlans<D>>& plans() noexcept { return plans_; }

 private:
  std::shared_ptr<HaloPlans<D>> plans_;
};

template <int D>
GridSpec Grid<D>::coarser(const Index<D>& factors) const {
  GridSpec spec;
  for (int axis = 0; axis < D; ++axis) {
    spec.extent.push_back((extent(axis) + factors[axis] - 1) / factors[axis]);
    spec.origin.push_back(origin(axis));
    spec.periodic.push_back(periodic(axis));
    spec.edges.emplace_back();
    for (long long i = 0; is_stretched(axis) && i <= spec.extent.back(); ++i)
      spec.edges.back().push_back(edge(axis, i * factors[axis]));
    spec.length.push_back(is_stretched(axis) ? spec.edges.back().back() - origin(axis)
                                             : static_cast<double>(spec.extent.back()) *
                                                   factors[axis] * spacing(axis));
  }
  spec.cuts = coarser_cuts(cuts(), std::vector<int>(factors.along, factors.along + D));
  return spec;
}

}  // namespace cartwright::grid
