// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <span>
#include <vector>

namespace cartwright::bench::peer {

/// -div(grad u) = f on a box of cells with u = 0 at its walls; this rank's part of it.
struct PoissonProblem {
  MPI_Comm comm = MPI_COMM_NULL;
  std::array<long long, 3> start{}, count{}, extent{};
  std::array<double, 3> spacing{};
  double tolerance = 1e-10;
};

/// False in builds without hypre.
[[nodiscard]] bool has_hypre();

/// Solves by hypre's conjugate gradients with PFMG (non-Galerkin coarse grids, red-black
/// relaxation, skipping where a grid isn't needed), matrix and set-up included. `f` and `u`: x
/// fastest. Returns the iterations.
[[nodiscard]] int solve_by_hypre(const PoissonProblem& problem, std::span<const double> f,
                                 std::span<double> u);

}  // namespace cartwright::bench::peer
