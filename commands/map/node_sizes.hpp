// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <optional>
#include <vector>

#include "options.hpp"

namespace cartwright::command {

/// Ranks on each node, from what was asked for, a Slurm allocation or the machine's cores. Throws
/// rt::Error if they don't hold just all ranks.
std::vector<int> node_sizes(const MapOptions& options, const std::optional<plan::Machine>& machine,
                            int ranks);

/// Throws rt::Error if a machine has too few cores on a node or too few nodes.
void check_room(const plan::Machine& machine, const std::vector<int>& sizes);

}  // namespace cartwright::command
