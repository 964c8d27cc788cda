// SPDX-License-Identifier: Apache-2.0
// Whole runs of a solver in this process: many of them cost no more than their steps.
#pragma once

#include <gtest/gtest.h>

#include <cartwright/grid/run/solver.hpp>
#include <cartwright/rt/communicator.hpp>
#include <filesystem>
#include <map>
#include <string>

namespace cartwright::grid::test {

/// Collective. Runs `solver` with a deck that doesn't name it; its results go to `directory`.
/// A restart goes on there. Throws what the run throws.
void run_solver(const SolverEntry& solver, const std::string& deck,
                const std::filesystem::path& directory, bool restart = false);

/// All files of fields, checkpoints and diagnostics, by name.
using Files = std::map<std::string, std::string>;
[[nodiscard]] Files files_of(const std::filesystem::path& directory);

/// The numbers of a dataset of doubles.
[[nodiscard]] std::vector<double> dataset(const std::filesystem::path& file,
                                          const std::string& name);

}  // namespace cartwright::grid::test
