// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run.hpp>
#include <optional>
#include <string>

namespace cartwright::grid {

/// The solver's function for the dimension of the run's grid, called. Memory that Kokkos couldn't
/// allocate becomes an out-of-memory error.
void call_solver(const SolverEntry& solver, Run& run);

/// What Kokkos (3.4 to 5) says where an allocation fails, in our words: "7.5 GiB for
/// 'temperature'"; nothing for other texts.
[[nodiscard]] std::optional<std::string> refused_allocation(const std::string& text);

}  // namespace cartwright::grid
