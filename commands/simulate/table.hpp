// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>

#include <vector>

#include "comparison.hpp"

namespace cartwright::command {

/// The comparison as people read it, on standard output.
void print_table(const SimulateOptions& options, const plan::Machine& machine,
                 const std::vector<Compared>& all);

}  // namespace cartwright::command
