// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid.hpp>
#include <cartwright/linear/multigrid/prolongation.hpp>
#include <cartwright/linear/multigrid/restriction.hpp>
#include <memory>
#include <vector>

namespace cartwright::linear {

/// From the grid of one level to that of the next coarser one: which may be spread over the same
/// ranks, or be whole on every rank.
template <int D>
class Transition {
 public:
  /// Collective. `gathers`: the coarser grid will be whole on every rank.
  Transition(Grid<D>& fine, const Geometry<D>& geometry, const Index<D>& factors, bool gathers)
      : fine_(fine), geometry_(geometry), factors_(factors), gathers_(gathers) {
    grid::GridSpec spec = fine.coarser(factors);
    cuts_ = spec.cuts;
    spec.on_every_rank = gathers;
    if (gathers) spec.cuts.clear();
    coarse_ = std::make_unique<Grid<D>>(fine, spec);
    for (int axis = 0; axis < D; ++axis) add_axis(axis);
    restriction_ = Restriction<D>(restrictions_, parity_of<D>(fine, Colour::red));
    if (gathers) prepare_gathering();
  }
  Transition(const Transition&) = delete;
  Transition& operator=(const Transition&) = delete;
  ~Transition() = default;

  [[nodiscard]] Grid<D>& coarse() const { return *coarse_; }
  /// Some coarse cells consist of cells of several ranks: these need ghosts, corners included.
  [[nodiscard]] bool crosses_ranks() const { return crosses_ranks_; }
  [[nodiscard]] Geometry<D> coarse_geometry() const {
    Geometry<D> result = geometry_;
    for (int axis = 0; axis < D; ++axis)
      if (factors_[axis] == 2)
        result[static_cast<std::size_t>(axis)] = result[static_cast<std::size_t>(axis)].coarser();
    return result;
  }

  /// Means over the cells of each coarse cell; returns this rank's sum of squares.
  template <class Rows>
  grid::BinnedSums<double> restrict_to(const Rows& rows, Counted counted, Field<double, D>& to) {
    const auto sum =
        restrict_all<D>(restriction_, rows, counted, mine_, gathers_ ? mine_view() : to.view());
    if (gathers_) gather(to);
    return sum;
  }
  /// The same over the faces across `axis` that coarse faces consist of.
  void restrict_faces(const Field<double, D>& from, int axis, Field<double, D>& to) {
    auto only_first = restrictions_;
    AxisRestriction& across = only_first[static_cast<std::size_t>(axis)];
    for (std::size_t cell = 0; cell < across.first.size(); ++cell) {
      across.fraction[cell] = 1.0;
      across.second[cell] = 0.0;
    }
    const Restriction<D> faces(only_first, 0);
    (void)restrict_all<D>(faces, FieldRows<D>{from.view()}, Counted::all, mine_,
                          gathers_ ? mine_view() : to.view());
    if (gathers_) gather(to);
  }
  [[nodiscard]] ProlongedRow<D> prolongation(const Field<double, D>& from,
                                             Field<double, D>& to) const {
    ProlongedRow<D> row{from.view(), to.view(), {}, 1, 0, false};
    for (int axis = 0; axis < D; ++axis)
      row.axes[axis] = &transfers_[static_cast<std::size_t>(axis)];
    return row;
  }

 private:
  void add_axis(int axis) {
    const auto a = static_cast<std::size_t>(axis);
    const grid::Block block = fine_.block(grid::Centring::cell);
    const auto place = static_cast<std::size_t>(fine_.comm().coordinates()[a]);
    const long long start = cuts_[a][place];
    const long long count = cuts_[a][place + 1] - start;
    restrictions_[a] = AxisRestriction(geometry_[a], factors_[axis], block.start[a], start, count);
    transfers_[a] = AxisTransfer(geometry_[a], factors_[axis], block.start[a], block.count[a],
                                 gathers_ ? 0 : start);
    mine_.upper[axis] = static_cast<int>(count);
    for (std::size_t cut = 1; cut + 1 < fine_.cuts()[a].size(); ++cut)
      crosses_ranks_ = crosses_ranks_ || fine_.cuts()[a][cut] % factors_[axis] != 0;
  }
  void prepare_gathering() {
    const comm::CartComm& comm = fine_.comm();
    std::vector<long long> counts;
    for (int rank = 0; rank < comm.size(); ++rank) {
      const std::vector<int> place = comm.coordinates_of(rt::Rank{rank});
      Box<D> box{};
      for (int axis = 0; axis < D; ++axis) {
        const auto& cuts = cuts_[static_cast<std::size_t>(axis)];
        const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(axis)]);
        box = box.with(axis, static_cast<int>(cuts[at]), static_cast<int>(cuts[at + 1]));
      }
      boxes_.push_back(box);
      counts.push_back(box.size());
    }
    blocks_ = comm::Blocks(counts);
    own_values_.resize(static_cast<std::size_t>(mine_.size()));
    all_values_.resize(static_cast<std::size_t>(blocks_.total()));
  }
  [[nodiscard]] FieldView<double, D> mine_view() {
    std::ptrdiff_t stride[D];
    stride[0] = 1;
    for (int axis = 1; axis < D; ++axis) stride[axis] = stride[axis - 1] * mine_.extent(axis - 1);
    return FieldView<double, D>(own_values_.data(), stride, {}, 0);
  }
  void gather(Field<double, D>& to) {
    fine_.comm().all().allgather(own_values_, all_values_, blocks_);
    for (std::size_t rank = 0; rank < boxes_.size(); ++rank)
      grid::unpack<double, D>(all_values_.data() + blocks_.offset(static_cast<int>(rank)),
                              boxes_[rank], to.view());
  }

  Grid<D>& fine_;
  Geometry<D> geometry_;
  Index<D> factors_;
  bool gathers_;
  grid::Cuts cuts_;
  std::unique_ptr<Grid<D>> coarse_;
  bool crosses_ranks_ = false;
  Box<D> mine_{};  ///< this rank's coarse cells
  std::array<AxisTransfer, static_cast<std::size_t>(D)> transfers_;
  std::array<AxisRestriction, static_cast<std::size_t>(D)> restrictions_;
  Restriction<D> restriction_;
  std::vector<Box<D>> boxes_;  ///< of all ranks, where they are gathered
  comm::Blocks blocks_;
  std::vector<double> own_values_, all_values_;
};

}  // namespace cartwright::linear
