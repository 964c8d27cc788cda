// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include <span>

#include "fault_list.hpp"

namespace cartwright::plan::validation {

/// Whether each message is sent once and received once, of one length and in no earlier round.
void check_messages(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                    FaultList& faults);

}  // namespace cartwright::plan::validation
