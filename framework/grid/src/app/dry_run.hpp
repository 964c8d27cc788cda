// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run.hpp>

namespace cartwright::grid {

/// Collective. --dry-run: says what the run that `request` asks for would need. The solver makes a
/// few steps on a small grid of the same spacing; nothing is written.
void plan_run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver);

/// Collective. --check: what the run itself would say of its deck. The solver goes up to its first
/// step, on a small grid of the same spacing; nothing is written.
void check_run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver);

}  // namespace cartwright::grid
