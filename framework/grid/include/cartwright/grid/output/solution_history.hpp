// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/step_table.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace cartwright::grid {

/// What the solutions inside of a run's steps cost: `solutions_NAME.csv` (step, solutions,
/// iterations, relative) and, at the end, `solutions_NAME.png`. NAME is that of the loop: its
/// letters and digits, with `_` for what lies between them.
class SolutionHistory {
 public:
  /// Collective. As StepTable.
  SolutionHistory(const comm::Collectives& comm, const std::filesystem::path& directory,
                  const std::string& solver, const std::string& loop,
                  std::optional<long long> restart_step);

  /// A step's solutions, their iterations together, and the residual that the last of them ended
  /// with, as a part of its first one.
  void add(long long step, long long solutions, long long iterations, double relative);
  /// Collective.
  void flush() { table_.flush(); }
  /// Collective. Writes all rows and draws the picture.
  void finish();

 private:
  StepTable table_;
  std::filesystem::path picture_;
  std::string title_;
};

}  // namespace cartwright::grid
