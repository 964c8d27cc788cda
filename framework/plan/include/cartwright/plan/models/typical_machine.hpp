// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>

namespace cartwright::plan {

/// Where nothing was measured: a cluster of today, in round numbers; nodes of so many cores.
Machine typical_machine(int ranks_of_node);

}  // namespace cartwright::plan
