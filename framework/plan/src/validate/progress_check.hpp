// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <span>

#include "fault_list.hpp"
#include "message_numbers.hpp"

namespace cartwright::plan::validation {

/// Whether all ranks come to their ends when they run in order, and a send is complete only once
/// its receive has been reached. Messages must match.
void check_progress(std::span<const Schedule> schedules, const NumberedSteps& messages,
                    FaultList& faults);

}  // namespace cartwright::plan::validation
