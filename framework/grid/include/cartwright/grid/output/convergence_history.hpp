// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/step_table.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace cartwright::grid {

/// How the residual of a run fell: `convergence.csv` (step, residual, relative) and, at the end,
/// `convergence.png`.
class ConvergenceHistory {
 public:
  /// Collective. As StepTable.
  ConvergenceHistory(const comm::Collectives& comm, const std::filesystem::path& directory,
                     std::string title, std::optional<long long> restart_step);

  void add(long long iteration, double residual, double relative);
  /// Collective.
  void flush() { table_.flush(); }
  /// Collective. Writes all rows and draws the picture, with a line at the tolerance.
  void finish(double tolerance);
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return table_.file(); }

 private:
  StepTable table_;
  std::filesystem::path picture_;
  std::string title_;
};

}  // namespace cartwright::grid
