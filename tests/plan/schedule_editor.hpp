// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <map>
#include <utility>
#include <vector>

namespace cartwright::plan {

/// Changes schedules as no builder would.
class ScheduleEditor {
 public:
  explicit ScheduleEditor(Schedule schedule) : schedule_(std::move(schedule)) {}

  std::vector<Step>& steps() { return schedule_.steps_; }

  /// Numbers the messages as the builder does: in the order of each pair of ranks.
  void number_messages() {
    std::map<std::pair<int, bool>, int> next;
    for (Step& step : steps())
      if (step.sends() || step.receives()) step.number = next[{step.peer, step.sends()}]++;
  }

  Schedule finish() && { return std::move(schedule_); }

 private:
  Schedule schedule_;
};

}  // namespace cartwright::plan
