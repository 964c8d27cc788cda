// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/validate.hpp>

#include "fault_list.hpp"
#include "message_check.hpp"
#include "progress_check.hpp"
#include "rank_check.hpp"

namespace cartwright::plan {

namespace {

using validation::FaultList;

void check_agreement(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                     FaultList& faults) {
  if (schedules.size() != layouts.size()) faults.add("there are not as many layouts as schedules");
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    const Schedule& schedule = schedules[r];
    const std::string rank = "rank " + std::to_string(r);
    if (schedule.team().ranks != static_cast<int>(schedules.size()) ||
        schedule.team().me != static_cast<int>(r))
      faults.add(rank + " has the schedule of another rank or team");
    if (schedule.rounds() != schedules[0].rounds())
      faults.add(rank + " counts " + std::to_string(schedule.rounds()) + " rounds, rank 0 " +
                 std::to_string(schedules[0].rounds()));
    if (schedule.blocks() != schedules[0].blocks()) faults.add(rank + " cuts the data differently");
  }
}

}  // namespace

std::vector<std::string> faults(std::span<const Schedule> schedules,
                                std::span<const Layout> layouts) {
  FaultList found;
  check_agreement(schedules, layouts, found);
  if (found.any()) return found.take();
  for (std::size_t r = 0; r < schedules.size(); ++r)
    validation::check_rank(schedules[r], layouts[r], found);
  if (found.any()) return found.take();
  const auto messages = validation::check_messages(schedules, layouts, found);
  if (!found.any()) validation::check_progress(schedules, messages, found);
  return found.take();
}

}  // namespace cartwright::plan
