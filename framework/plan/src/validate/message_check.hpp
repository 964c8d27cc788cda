// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include <span>

#include "fault_list.hpp"
#include "message_numbers.hpp"

namespace cartwright::plan::validation {

/// Whether each message is sent once and received once, of one length and in no earlier round.
/// Which step is about which, where there are no faults.
NumberedSteps check_messages(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                             FaultList& faults);

}  // namespace cartwright::plan::validation
