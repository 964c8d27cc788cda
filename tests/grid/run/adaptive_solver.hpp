// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>

namespace cartwright::grid::test {

/// Burgers' equation in 1-D, upwind: the faster the fastest point, the shorter the step. Its
/// parameter `how` makes mistakes.
[[nodiscard]] SolverEntry adaptive_burgers();

/// Damped Jacobi for -u'' = f. Its parameter `how` makes it diverge, stagnate, or say nothing.
[[nodiscard]] SolverEntry jacobi();

}  // namespace cartwright::grid::test
