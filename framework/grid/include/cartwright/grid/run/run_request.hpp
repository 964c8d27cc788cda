// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/app_options.hpp>
#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/run_options.hpp>
#include <cartwright/grid/run/solver.hpp>

namespace cartwright::rt {
class Runtime;
}

namespace cartwright::grid {

struct Outcome;
class WorkBalance;

/// What a deck has asked for; filled when the deck is read.
struct RunRequest : AppOptions {
  RunOptions options;
  FieldData fields;  ///< initial, boundary and exact data of declared fields
};

/// The solver's own numbers, by key: formulas may use them.
[[nodiscard]] FormulaConstants numbers_of(const SolverEntry& solver);

/// The same, and the lengths of the grid: lx, ly, lz.
[[nodiscard]] FormulaConstants formula_constants(const SolverEntry& solver,
                                                 const GridOptions& grid);

/// Collective. The whole run, anew where work moves. Throws what ends it.
[[nodiscard]] Outcome run_solver(rt::Runtime& runtime, const RunRequest& request,
                                 const SolverEntry& solver, WorkBalance& work);

}  // namespace cartwright::grid
