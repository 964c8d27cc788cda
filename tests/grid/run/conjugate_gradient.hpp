// SPDX-License-Identifier: Apache-2.0
// A solver as its user would write it, with state beside its fields.
#pragma once

#include <cartwright/cartwright.hpp>

namespace cartwright::grid::test {

/// -laplacian(x) = b in the unit square by conjugate gradients, one iteration a step; b is the
/// initial residual. `set_up`: "fresh" as it should be; "before" or "after" run.steps(), at every
/// start.
[[nodiscard]] SolverEntry conjugate_gradient();

}  // namespace cartwright::grid::test
