// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/field/grid.hpp>
#include <cartwright/linear/multigrid/coarsening.hpp>
#include <cartwright/linear/multigrid/prolongation.hpp>
#include <cartwright/linear/multigrid/redistribution.hpp>
#include <cartwright/linear/multigrid/restriction.hpp>
#include <memory>
#include <vector>

namespace cartwright::linear {

/// From the grid of one level to that of the next coarser one: which may be spread over the same
/// ranks, over some of them, or be whole on every rank. Its calls are collective over the finer
/// grid's ranks; those without a part in the coarser one give null for its fields.
template <int D>
class Transition {
 public:
  /// Collective.
  Transition(Grid<D>& fine, const Geometry<D>& geometry, const MultigridOptions& options)
      : fine_(fine), geometry_(geometry), coarsening_(coarsening_of<D>(geometry)) {
    grid::GridSpec spec = coarser_spec<D>(fine, coarsening_);
    const Spread spread = spread_of(fine, spec.cuts, options);
    redistribution_ = std::make_unique<Redistribution<D>>(fine, std::move(spec), spread);
    for (int axis = 0; axis < D; ++axis) add_axis(axis);
    restriction_ = Restriction<D>(restrictions_, parity_of<D>(fine, Colour::red));
  }
  Transition(const Transition&) = delete;
  Transition& operator=(const Transition&) = delete;
  ~Transition() = default;

  /// Null on ranks that have no part in it.
  [[nodiscard]] Grid<D>* coarse() const { return redistribution_->coarse(); }
  /// Some coarse cells consist of cells of several ranks: these need ghosts, corners included.
  [[nodiscard]] bool crosses_ranks() const { return crosses_ranks_; }
  [[nodiscard]] Geometry<D> coarse_geometry() const {
    Geometry<D> result;
    for (std::size_t axis = 0; axis < result.size(); ++axis)
      result[axis] = geometry_[axis].coarser(coarsening_[axis]);
    return result;
  }

  /// Means over the cells of each coarse cell; returns this rank's sum of squares, if wanted.
  template <class Rows>
  grid::BinnedSums<double> restrict_to(const Rows& rows, Counted counted, Field<double, D>* to,
                                       bool with_squares) {
    const auto sum = restrict_all<D>(restriction_, rows, counted, redistribution_->mine(),
                                     redistribution_->place_of(to), with_squares);
    redistribution_->deliver(to);
    return sum;
  }
  /// The same over those that are at one side of coarse cells: means along that side of these, be
  /// it of its faces (whose numbers are those of the cells above them) or of what lies beside it.
  void restrict_side(const Field<double, D>& from, grid::Face side, Field<double, D>* to) {
    auto axes = restrictions_;
    AxisRestriction& across = axes[static_cast<std::size_t>(side.axis)];
    for (std::size_t cell = 0; cell < across.first.size(); ++cell) {
      const bool is_first = side.is_low() || across.count[cell] == 1;
      across.fraction[cell] = is_first ? 1.0 : 0.0;
      across.second[cell] = is_first ? 0.0 : 1.0;
    }
    const Restriction<D> along(axes, 0);
    (void)restrict_all<D>(along, FieldRows<D>{from.view()}, Counted::all, redistribution_->mine(),
                          redistribution_->place_of(to), false);
    redistribution_->deliver(to);
  }
  [[nodiscard]] ProlongedRow<D> prolongation(const Field<double, D>* from, Field<double, D>& to) {
    ProlongedRow<D> row{redistribution_->view_of(from), to.view(), {}, 1, 0, false};
    for (int axis = 0; axis < D; ++axis)
      row.axes[axis] = &transfers_[static_cast<std::size_t>(axis)];
    return row;
  }

 private:
  void add_axis(int axis) {
    const auto a = static_cast<std::size_t>(axis);
    const grid::Block block = fine_.block(grid::Centring::cell);
    restrictions_[a] =
        AxisRestriction(geometry_[a], coarsening_[a], block.start[a], redistribution_->start(axis),
                        redistribution_->mine().extent(axis));
    transfers_[a] = AxisTransfer(geometry_[a], coarsening_[a], block.start[a], block.count[a],
                                 redistribution_->view_start(axis));
    for (const long long cut : fine_.cuts()[a])
      crosses_ranks_ = crosses_ranks_ || !std::ranges::binary_search(coarsening_[a], cut);
  }

  Grid<D>& fine_;
  Geometry<D> geometry_;
  Coarsening<D> coarsening_;
  std::unique_ptr<Redistribution<D>> redistribution_;
  bool crosses_ranks_ = false;
  std::array<AxisTransfer, static_cast<std::size_t>(D)> transfers_;
  std::array<AxisRestriction, static_cast<std::size_t>(D)> restrictions_;
  Restriction<D> restriction_;
};

}  // namespace cartwright::linear
