// SPDX-License-Identifier: Apache-2.0
// LU factorisation whose panels are broadcast one-sided, by epochs that nobody waits for.
#pragma once

#include <algorithm>
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
        own_(static_cast<std::size_t>(slots / a.ranks + 2) * static_cast<std::size_t>(slot_size_)),
        come_(static_cast<std::size_t>(slots)),
        sent_(static_cast<std::size_t>(slots / a.ranks + 2)) {
    for (int rank = 0; rank < ranks_; ++rank)
      if (rank != me_) others_.push_back(cartwright::rt::Rank{rank});
  }
  [[nodiscard]] int slots() const { return slots_; }
  /// Where a panel of this rank's is made, or one of another rank's arrives.
  [[nodiscard]] double* place(int number) {
    return number % ranks_ == me_ ? own_.data() + own_place(number) * slot_size_
                                  : window_.local().data() + number % slots_ * slot_size_;
  }
  /// Its slot is free: another rank's panel may come.
  void expect(int number) {
    exposure_.emplace(window_.post({cartwright::rt::Rank{number % ranks_}}));
    if (!waits_) come_[slot(number)] = exposure_->wait();
  }
  /// How many panels may be expected at a time.
  [[nodiscard]] int ahead() const { return waits_ ? 1 : slots_; }
  /// Where closing waits, nobody can ask.
  [[nodiscard]] bool has_come(int number) { return !waits_ && come_[slot(number)].test(); }
  void receive(int number) {
    if (waits_) come_[slot(number)] = exposure_->wait();
    come_[slot(number)].wait();
  }
  /// Its place may be written to: the panel that was there has left.
  void prepare(int number) { sent(number).wait(); }
  void send(int number, const Panel& panel) {
    auto access = window_.start(others_);
    const std::span<const double> values(panel.values, panel.doubles());
    for (const cartwright::rt::Rank rank : others_)
      access.put(rank, number % slots_ * slot_size_, values);
    sent(number) = access.complete();
    if (waits_) sent(number).wait();
  }

 private:
  static long long slot_size(const ColumnMatrix& a) {
    return static_cast<long long>(a.block) * (a.extent + 1);
  }
  [[nodiscard]] long long own_place(int number) const {
    return number / ranks_ % static_cast<long long>(sent_.size());
  }
  [[nodiscard]] cartwright::comm::EpochRequest& sent(int number) {
    return sent_[static_cast<std::size_t>(own_place(number))];
  }
  [[nodiscard]] std::size_t slot(int number) const {
    return static_cast<std::size_t>(number % slots_);
  }

  cartwright::comm::Window<double> window_;
  std::vector<cartwright::rt::Rank> others_;
  int ranks_, me_, slots_;
  long long slot_size_;
  bool waits_;
  std::optional<cartwright::comm::ExposureEpoch> exposure_;
  std::vector<double> own_;  // this rank's panels: more than it needs itself while others may come
  std::vector<cartwright::comm::EpochRequest> come_;  // by slot
  std::vector<cartwright::comm::EpochRequest> sent_;
};

/// One rank's part of a factorisation. Its next panel goes first: it gets what has come, is
/// factorised and sent, before other columns are updated with panels that came earlier. Each column
/// gets all panels in their order, so that the bits are the same whatever comes when.
template <class Panels>
class Factorisation {
 public:
  Factorisation(ColumnMatrix& a, Panels& panels)
      : a_(&a),
        panels_(&panels),
        next_(a.me),
        applied_(static_cast<std::size_t>(a.panels())),
        pivots_(static_cast<std::size_t>(a.extent)) {}

  /// Collective. `work(j, q)` is called before panel j is applied to this rank's panel q. Gives the
  /// row that was swapped with each row, from 0 on.
  template <class Work>
  std::vector<int> run(const Work& work) {
    expect();
    while (come_ < a_->panels() || oldest() < come_) {
      while (come_ < expected_ && a_->owner(come_) != a_->me && panels_->has_come(come_)) accept();
      if (next_ < a_->panels() && applied(next_) < come_)
        update(next_, work);
      else if (next_ < a_->panels() && next_ == come_ && next_ < oldest() + panels_->slots())
        make();
      else if (const int behind = backmost(); behind >= 0)
        update(behind, work);
      else
        panels_->receive(come_), accept();
    }
    swap_left();
    return pivots_;
  }

 private:
  [[nodiscard]] int& applied(int own) { return applied_[static_cast<std::size_t>(own)]; }
  [[nodiscard]] Panel panel(int k) { return {panels_->place(k), a_->rows(k), a_->width(k)}; }
  /// Of this rank's panels behind the next one, the first that lacks the oldest that has come; -1.
  [[nodiscard]] int backmost() {
    int found = -1;
    for (int own = next_ + a_->ranks; own < a_->panels(); own += a_->ranks)
      if (applied(own) < (found < 0 ? come_ : applied(found))) found = own;
    return found;
  }
  /// Panels before this one are no longer needed here.
  [[nodiscard]] int oldest() {
    int least = come_;
    for (int own = next_; own < a_->panels(); own += a_->ranks)
      least = std::min(least, applied(own));
    return least;
  }
  void expect() {
    const int end = std::min({a_->panels(), oldest() + panels_->slots(), come_ + panels_->ahead()});
    for (; expected_ < end; ++expected_)
      if (a_->owner(expected_) != a_->me) panels_->expect(expected_);
  }
  void accept() {
    for (int j = 0; j < a_->width(come_); ++j)
      pivots_[static_cast<std::size_t>(a_->first_row(come_) + j)] =
          a_->first_row(come_) + static_cast<int>(panel(come_).pivot(j));
    ++come_;
    expect();
  }
  void make() {
    panels_->prepare(next_);
    factorise_panel(*a_, next_, panel(next_));
    panels_->send(next_, panel(next_));
    next_ += a_->ranks;
    accept();
  }
  template <class Work>
  void update(int own, const Work& work) {
    const int k = applied(own);
    work(k, own);
    const int first = a_->column_from(own);
    for (int column = first; column < first + a_->width(own); ++column)
      update_column(panel(k), a_->column(column) + a_->first_row(k));
    ++applied(own);
    expect();
  }
  /// Columns before a panel are swapped, too.
  void swap_left() {
    for (int column = 0; column < a_->columns(); ++column) {
      const int first = (a_->place_of(column) / a_->block + 1) * a_->block;
      for (int row = first; row < a_->extent; ++row)
        std::swap(a_->column(column)[row],
                  a_->column(column)[pivots_[static_cast<std::size_t>(row)]]);
    }
  }

  ColumnMatrix* a_;
  Panels* panels_;
  int next_;                  // this rank's panel that isn't made yet
  int come_ = 0;              // the first panel that hasn't come, or been made
  int expected_ = 0;          // the first panel that hasn't been expected
  std::vector<int> applied_;  // how many panels each of this rank's has got
  std::vector<int> pivots_;
};
