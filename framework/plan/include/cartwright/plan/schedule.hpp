// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/step.hpp>
#include <cartwright/plan/team.hpp>

#include <span>
#include <vector>

namespace cartwright::plan {

/// What one rank does in a collective operation: steps over symbolic buffers, in an order in which
/// executing them one after the other can't deadlock (a send is started and not waited for; before
/// a slice is overwritten, the sends that read it are).
///
/// The data are cut into blocks, whose sizes are known only when the schedule is bound: one
/// schedule serves every length, count per rank and element type. Made by Builder.
class Schedule {
 public:
  Schedule() = default;

  [[nodiscard]] const Team& team() const { return team_; }
  [[nodiscard]] std::span<const Step> steps() const& { return steps_; }
  /// A temporary has no steps: `for (… : make().steps())` would walk through what is gone.
  [[nodiscard]] std::span<const Step> steps() const&& = delete;
  /// Into how many blocks the data are cut.
  [[nodiscard]] int blocks() const { return blocks_; }
  /// How many rounds the whole operation has: the same number on every rank.
  [[nodiscard]] int rounds() const { return rounds_; }
  /// True when messages carry no data, and nothing but their arrival counts (a barrier).
  [[nodiscard]] bool signals() const { return signals_; }

  /// Which blocks a buffer holds, in ring order. In place, nothing is read from `input`.
  [[nodiscard]] Extent extent(Buffer buffer) const {
    return extents_[static_cast<std::size_t>(buffer)];
  }
  [[nodiscard]] int scratch_buffers() const {
    return static_cast<int>(extents_.size()) - static_cast<int>(Buffer::scratch);
  }

 private:
  friend class Builder;
  friend class ScheduleEditor;  // of the tests: schedules with faults
  friend Schedule side_by_side(std::span<const Schedule> parts);

  Team team_;
  int blocks_ = 0;
  int rounds_ = 0;
  bool signals_ = false;
  std::vector<Extent> extents_{{}, {}};  // by Buffer
  std::vector<Step> steps_;
};

}  // namespace cartwright::plan
