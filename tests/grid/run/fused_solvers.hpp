// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/solver.hpp>

namespace cartwright::grid::test {

/// Heat in a material that differs from place to place: the kernel reads another field, too.
[[nodiscard]] SolverEntry uneven_material();
/// Two components, a kernel that looks diagonally.
[[nodiscard]] SolverEntry mixture();
/// A kernel that looks two points far, at values in arrays of their own.
[[nodiscard]] SolverEntry far_sighted();
/// A boundary rule of the solver's own, that changes with time.
[[nodiscard]] SolverEntry own_walls();

}  // namespace cartwright::grid::test
