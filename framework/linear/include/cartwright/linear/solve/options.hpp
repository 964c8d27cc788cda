// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema.hpp>
#include <string>

namespace cartwright::linear {

/// The last three are hypre's, for builds that have it.
enum class Method { multigrid, cg, pipelined_cg, bicgstab, pfmg, smg, boomeramg };
enum class Preconditioner { none, jacobi, multigrid, pfmg, smg, boomeramg };
/// Whose multigrid.
enum class MultigridKind { own, pfmg, smg, boomeramg };
/// Automatic: V-cycles. Where conditions of different kinds meet on a wall solutions go like the
/// root of the distance, which wants more visits to coarser grids: full cycles there, and W-cycles,
/// which are symmetric, as preconditioner.
enum class Cycle { automatic, v, w, full };

struct MultigridOptions {
  Cycle cycle = Cycle::automatic;
  int before = 1;                 ///< red-black sweeps before coarser grids…
  int after = 1;                  ///< …and behind them
  long long gather_below = 4096;  ///< grids with no more cells are whole on every rank
  /// Others with fewer cells a rank go to fewer ranks: neighbours send theirs to one of them.
  long long cells_per_rank = 512;
};

/// How a linear system is solved: the section `linear` of whatever solver has one.
struct Options {
  Method method = Method::multigrid;
  Preconditioner preconditioner = Preconditioner::multigrid;
  double tolerance = 1e-8;  ///< residual to reach, as a fraction of the first one
  long long limit = 1000;   ///< iterations
  MultigridOptions multigrid{};
};

/// The method as the deck calls it, and what preconditions it: "cg with multigrid".
[[nodiscard]] std::string name_of(const Options& options);
[[nodiscard]] std::string name_of(MultigridKind kind);
/// Of a method or preconditioner that is one; our own for others.
[[nodiscard]] MultigridKind kind_of(Method method);
[[nodiscard]] MultigridKind kind_of(Preconditioner preconditioner);
/// True for a preconditioner that multigrid isn't part of.
[[nodiscard]] bool is_simple(Preconditioner preconditioner);
/// Throws an input error (all ranks) if the options want what this build doesn't have.
void require_available(const Options& options);
/// Throws an input error (all ranks) if they want multigrid, which computes in the host's memory
/// only, where kernels run on a device.
void require_runs_on_device(const Options& options);

/// For `.section("linear", &Parameters::linear, cw::linear::schema(), …)`.
[[nodiscard]] rt::Schema<Options> schema();

/// Without tolerance and limit: for runs of one solution, which have them in their section
/// `iteration`.
[[nodiscard]] rt::Schema<Options> method_schema();

}  // namespace cartwright::linear
