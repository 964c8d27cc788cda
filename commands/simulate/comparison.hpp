// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/selector.hpp>

#include <string>
#include <vector>

#include "options.hpp"

namespace cartwright::command {

/// One algorithm on the machine.
struct Compared {
  plan::Choice choice;
  plan::CostKind kind = plan::CostKind::formula;
  plan::Picoseconds time = 0;
  plan::Picoseconds formula = 0;
  plan::Simulation simulation;  ///< empty when costed by formula
};

/// The machine with as many units of its outermost level as the ranks need, whatever it has.
[[nodiscard]] plan::Machine with_room(plan::Machine machine, int ranks);

/// All algorithms that were asked for, the quickest first. Throws rt::Error when nothing suits.
std::vector<Compared> compare(const SimulateOptions& options, const plan::Machine& machine);

/// What a simulation has to do for these options.
plan::SimulationOptions simulation_options(const SimulateOptions& options,
                                           std::vector<plan::Picoseconds>& arrivals);

}  // namespace cartwright::command
