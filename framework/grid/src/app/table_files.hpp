// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/step_table.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cartwright::grid {

class Run;
class Table;

/// The files of a solver's own tables.
class TableFiles {
 public:
  /// Collective. Opens a file for each table of the run.
  TableFiles(const comm::Collectives& comm, const Run& run, const std::filesystem::path& directory,
             std::optional<long long> restart_step);
  /// Collective. Writes all rows noted since.
  void flush();

 private:
  std::vector<std::pair<Table*, std::unique_ptr<StepTable>>> files_;
};

}  // namespace cartwright::grid
