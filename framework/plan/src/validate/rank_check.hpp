// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include "fault_list.hpp"

namespace cartwright::plan::validation {

/// What one rank does, without a look at the others.
void check_rank(const Schedule& schedule, const Layout& layout, FaultList& faults);

}  // namespace cartwright::plan::validation
