// SPDX-License-Identifier: Apache-2.0
// LU factorisation whose panels are broadcast one-sided, by epochs that nobody waits for.
#pragma once

#include <array>
#include <cartwright/comm/window.hpp>
#include <optional>
#include <vector>

#include "column_matrix.hpp"

/// Panels on their way: the owner of each puts it into a slot of all others. Its access epoch ends
/// when they have exposed the slot, theirs when the panel is there; whoever is late holds up
/// neither the owner nor others, until as many panels are under way as there are slots.
class PanelEpochs {
 public:
  /// `waits`: each epoch is closed by waiting, as MPI's are; then an exposure is open from the
  /// begin of one step to that of the next. Else `slots` are exposed ahead. Collective.
  PanelEpochs(const cartwright::comm::CartComm& cart, const ColumnMatrix& a, int slots, bool waits)
      : window_(cartwright::comm::Window<double>::allocate(
            cart, slots * slot_size(a), {.name = "panels", .reorder = {true, true, true, true}})),
        ranks_(a.ranks),
        me_(a.me),
        slots_(slots),
        slot_size_(slot_size(a)),
        waits_(waits),
        own_(static_cast<std::size_t>(2 * slot_size_)),
        come_(static_cast<std::size_t>(slots)) {
    for (int rank = 0; rank < ranks_; ++rank)
      if (rank != me_) others_.push_back(cartwright::rt::Rank{rank});
  }
  [[nodiscard]] int slots() const { return slots_; }
  /// Where a panel of this rank's is made, or one of another rank's arrives.
  [[nodiscard]] double* place(int number) {
    return number % ranks_ == me_ ? own_.data() + number / ranks_ % 2 * slot_size_
                                  : window_.local().data() + number % slots_ * slot_size_;
  }
  /// Its slot is free: another rank's panel may come.
  void expect(int number) {
    exposure_.emplace(window_.post({cartwright::rt::Rank{number % ranks_}}));
    if (!waits_) come_[slot(number)] = exposure_->wait();
  }
  void receive(int number) {
    if (waits_) come_[slot(number)] = exposure_->wait();
    come_[slot(number)].wait();
  }
  /// Its place may be written to: the panel before the last one has left.
  void prepare(int number) { sent_[number / ranks_ % 2].wait(); }
  void send(int number, const Panel& panel) {
    auto access = window_.start(others_);
    const std::span<const double> values(panel.values, panel.doubles());
    for (const cartwright::rt::Rank rank : others_)
      access.put(rank, number % slots_ * slot_size_, values);
    auto& sent = sent_[number / ranks_ % 2] = access.complete();
    if (waits_) sent.wait();
  }

 private:
  static long long slot_size(const ColumnMatrix& a) {
    return static_cast<long long>(a.block) * (a.extent + 1);
  }
  [[nodiscard]] std::size_t slot(int number) const {
    return static_cast<std::size_t>(number % slots_);
  }

  cartwright::comm::Window<double> window_;
  std::vector<cartwright::rt::Rank> others_;
  int ranks_, me_, slots_;
  long long slot_size_;
  bool waits_;
  std::vector<double> own_;  // the last two panels that this rank has made
  std::optional<cartwright::comm::ExposureEpoch> exposure_;
  std::vector<cartwright::comm::EpochRequest> come_;  // by slot
  std::array<cartwright::comm::EpochRequest, 2> sent_;
};

/// Right-looking, by columns; the owner of the next panel makes and sends it before the rest of its
/// work. `a` becomes its factors, the unit diagonal left out. `step(k)` is called in each step.
/// Collective. Gives the row that was swapped with each row, from 0 on.
template <class Panels, class Step>
std::vector<int> factorise(ColumnMatrix& a, Panels& panels, const Step& step) {
  std::vector<int> pivots(static_cast<std::size_t>(a.extent));
  const auto panel = [&](int k) { return Panel{panels.place(k), a.rows(k), a.width(k)}; };
  const auto expect = [&](int k) {
    if (k < a.panels() && a.owner(k) != a.me) panels.expect(k);
  };
  const auto make = [&](int k) {
    panels.prepare(k);
    factorise_panel(a, k, panel(k));
    panels.send(k, panel(k));
  };
  const auto update = [&](int k, int from, int to) {
    for (int column = from; column < to; ++column)
      update_column(panel(k), a.column(column) + a.first_row(k));
  };
  for (int k = 0; k < panels.slots() - 1; ++k) expect(k);
  if (a.owner(0) == a.me) make(0);
  for (int k = 0; k < a.panels(); ++k) {
    if (a.owner(k) != a.me) panels.receive(k);
    expect(k + panels.slots() - 1);
    step(k);
    int first = a.column_from(k + 1);
    if (k + 1 < a.panels() && a.owner(k + 1) == a.me) {
      update(k, first, a.column_from(k + 2));
      first = a.column_from(k + 2);
      make(k + 1);
    }
    update(k, first, a.columns());
    for (int column = 0; column < a.column_from(k); ++column)
      swap_rows(panel(k), a.column(column) + a.first_row(k));
    for (int j = 0; j < a.width(k); ++j)
      pivots[static_cast<std::size_t>(a.first_row(k) + j)] =
          a.first_row(k) + static_cast<int>(panel(k).pivot(j));
  }
  return pivots;
}
