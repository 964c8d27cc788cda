// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>

#include "comparison.hpp"

namespace cartwright::command {

/// Writes the timeline of one algorithm to the files that were asked for. Throws rt::Error.
void write_pictures(const SimulateOptions& options, const plan::Machine& machine,
                    const plan::Choice& choice);

}  // namespace cartwright::command
