// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>

#include <vector>

#include "comparison.hpp"

namespace cartwright::command {

/// The comparison as people read it, on standard output.
void print_table(const SimulateOptions& options, const plan::Machine& machine,
                 const std::vector<Compared>& all);

/// Below it, what the comparison takes for granted or leaves out: units that the machine, as it is
/// `described`, doesn't have, and algorithms for fewer ranks.
void print_notes(const SimulateOptions& options, const plan::Machine& described);

}  // namespace cartwright::command
