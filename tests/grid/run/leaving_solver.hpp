// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>

namespace cartwright::grid::test {

/// A solver that leaves its loop as its parameters say: its field `u` has the number of the step
/// everywhere.
[[nodiscard]] SolverEntry leaving_solver();

}  // namespace cartwright::grid::test
