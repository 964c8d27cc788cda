// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hypre_poisson.hpp"

namespace cartwright::bench::peer {

/// False in builds without PETSc.
[[nodiscard]] bool has_petsc();

/// Solves by PETSc's conjugate gradients with geometric multigrid (DMDA and PCMG: cell-centred,
/// coarse grids by discretisation, a red-black sweep before and behind, in opposite orders), set-up
/// included. Without matrices: with them it takes twice as long, in half as many iterations. `f`
/// and `u`: x fastest; extents are powers of two. Returns the iterations.
[[nodiscard]] int solve_by_petsc(const PoissonProblem& problem, std::span<const double> f,
                                 std::span<double> u);

}  // namespace cartwright::bench::peer
