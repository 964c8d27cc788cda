// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/group_transfer.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/multigrid/spread.hpp>
#include <memory>
#include <vector>

namespace cartwright::linear {

using grid::Box;
using grid::Field;
using grid::FieldView;
using grid::Grid;
using grid::Index;

/// Cells of a coarser grid on their way between the ranks of the finer one, which compute with
/// them, and those that have them as a field. Its calls are collective over the finer grid's ranks.
template <int D>
class Redistribution {
 public:
  /// `spec`: the coarser grid where nothing is redistributed.
  Redistribution(Grid<D>& fine, grid::GridSpec spec, const Spread& spread)
      : fine_(fine), over_(spread.over), cuts_(spec.cuts) {
    const std::vector<int> place(fine.comm().coordinates().begin(),
                                 fine.comm().coordinates().end());
    mine_ = box_at(place);
    for (int axis = 0; axis < D; ++axis) {
      mine_.upper[axis] -= mine_.lower[axis];
      start_[axis] = mine_.lower[axis];
      mine_.lower[axis] = 0;
    }
    if (over_ == Spread::Over::every_rank) {
      spec.cuts.clear();
      spec.on_every_rank = true;
      prepare_gathering();
    }
    if (over_ != Spread::Over::fewer_ranks) {
      coarse_ = std::make_unique<Grid<D>>(fine, spec);
      return;
    }
    transfer_ = std::make_unique<grid::GroupTransfer<D>>(fine, cuts_, spread.groups);
    spec.cuts = grid::joined_cuts(cuts_, spread.groups);
    if (auto ranks = fine.ranks_of(spread.groups))
      coarse_ = std::make_unique<Grid<D>>(fine, spec, std::move(ranks));
    own_values_.resize(static_cast<std::size_t>(mine_.size()));
    // Rows are read from one cell before those that count.
    around_.resize(static_cast<std::size_t>(grid::GroupTransfer<D>::grown(mine_).size()) + 1);
  }

  /// Null on ranks that have no part in it.
  [[nodiscard]] Grid<D>* coarse() const { return coarse_.get(); }
  /// This rank's coarse cells, from 0 on; their first one is number start(axis) of all.
  [[nodiscard]] const Box<D>& mine() const { return mine_; }
  [[nodiscard]] long long start(int axis) const { return start_[axis]; }
  /// The coarse cell that view_of has at 0.
  [[nodiscard]] long long view_start(int axis) const {
    return over_ == Spread::Over::every_rank ? 0 : start_[axis];
  }

  /// Where this rank's cells of `to` are computed; `to` is null on ranks without a part in it.
  [[nodiscard]] FieldView<double, D> place_of(Field<double, D>* to) {
    if (over_ == Spread::Over::same_ranks) return to->view();
    return packed(own_values_.data(), mine_);
  }
  /// They are; `to` has all of its cells.
  void deliver(Field<double, D>* to) {
    if (over_ == Spread::Over::fewer_ranks)
      transfer_->gather(own_values_.data(), to != nullptr ? to->view() : FieldView<double, D>());
    if (over_ != Spread::Over::every_rank) return;
    fine_.comm().all().allgather(own_values_, all_values_, blocks_);
    for (std::size_t rank = 0; rank < boxes_.size(); ++rank)
      grid::unpack<double, D>(all_values_.data() + blocks_.offset(static_cast<int>(rank)),
                              boxes_[rank], to->view());
  }
  /// This rank's cells of `from`, whose ghosts are filled, and those around them.
  [[nodiscard]] FieldView<const double, D> view_of(const Field<double, D>* from) {
    if (over_ != Spread::Over::fewer_ranks) return from->view();
    transfer_->spread(from != nullptr ? from->view() : FieldView<const double, D>(),
                      around_.data() + 1);
    return packed(around_.data() + 1, grid::GroupTransfer<D>::grown(mine_)).reading();
  }

 private:
  /// The coarse cells of the rank there.
  [[nodiscard]] Box<D> box_at(const std::vector<int>& place) const {
    Box<D> box{};
    for (int axis = 0; axis < D; ++axis) {
      const auto& cuts = cuts_[static_cast<std::size_t>(axis)];
      const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(axis)]);
      box = box.with(axis, static_cast<int>(cuts[at]), static_cast<int>(cuts[at + 1]));
    }
    return box;
  }
  void prepare_gathering() {
    const comm::CartComm& comm = fine_.comm();
    std::vector<long long> counts;
    for (int rank = 0; rank < comm.size(); ++rank) {
      boxes_.push_back(box_at(comm.coordinates_of(rt::Rank{rank})));
      counts.push_back(boxes_.back().size());
    }
    blocks_ = comm::Blocks(counts);
    own_values_.resize(static_cast<std::size_t>(mine_.size()));
    all_values_.resize(static_cast<std::size_t>(blocks_.total()));
  }
  /// `values` are those of `box`, x fastest.
  // NOLINTNEXTLINE(readability-non-const-parameter): the view writes there
  [[nodiscard]] static FieldView<double, D> packed(double* values, const Box<D>& box) {
    std::ptrdiff_t stride[D];
    stride[0] = 1;
    std::ptrdiff_t origin = -box.lower[0];
    for (int axis = 1; axis < D; ++axis) {
      stride[axis] = stride[axis - 1] * box.extent(axis - 1);
      origin -= stride[axis] * box.lower[axis];
    }
    return FieldView<double, D>(values + origin, stride, {}, 0);
  }

  Grid<D>& fine_;
  Spread::Over over_;
  grid::Cuts cuts_;
  Box<D> mine_{};
  long long start_[D]{};
  std::unique_ptr<Grid<D>> coarse_;
  std::unique_ptr<grid::GroupTransfer<D>> transfer_;
  std::vector<Box<D>> boxes_;  ///< of all ranks, where they are gathered
  comm::Blocks blocks_;
  std::vector<double> own_values_, all_values_, around_;
};

}  // namespace cartwright::linear
