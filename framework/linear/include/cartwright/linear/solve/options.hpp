// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema.hpp>
#include <string>

namespace cartwright::linear {

enum class Method { multigrid, cg, pipelined_cg, bicgstab };
enum class Preconditioner { none, jacobi, multigrid };
enum class Cycle { v, w, full };

struct MultigridOptions {
  Cycle cycle = Cycle::v;
  int before = 1;                 ///< red-black sweeps before coarser grids…
  int after = 1;                  ///< …and behind them
  long long gather_below = 4096;  ///< grids with no more cells are whole on every rank
};

/// How a linear system is solved: the section `linear` of whatever solver has one.
struct Options {
  Method method = Method::multigrid;
  Preconditioner preconditioner = Preconditioner::multigrid;
  double tolerance = 1e-8;  ///< residual to reach, as a fraction of the first one
  long long limit = 1000;   ///< iterations
  MultigridOptions multigrid{};
};

/// As the deck calls it.
[[nodiscard]] std::string name_of(Method method);

/// For `.section("linear", &Parameters::linear, cw::linear::schema(), …)`.
[[nodiscard]] rt::Schema<Options> schema();

/// Without tolerance and limit: for runs of one solution, which have them in their section
/// `iteration`.
[[nodiscard]] rt::Schema<Options> method_schema();

}  // namespace cartwright::linear
