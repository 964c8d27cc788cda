// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>

#include <vector>

#include "comparison.hpp"

namespace cartwright::command {

/// The comparison for programs, into options.json. Throws rt::Error.
void write_json(const SimulateOptions& options, const plan::Machine& machine,
                const std::vector<Compared>& all);

}  // namespace cartwright::command
