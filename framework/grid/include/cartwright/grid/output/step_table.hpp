// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cartwright::grid {

/// A CSV file of numbers over steps: `step,COLUMNS…`, rows by rising step, written by rank 0.
/// Numbers are the shortest decimals that read back as the same bits.
class StepTable {
 public:
  /// Collective. `columns` are those behind `step`. On restart, rows after `restart_step` (and a
  /// half-written last row) are cut off; throws `rt::Error` (input error, all ranks) if the file
  /// there has other columns.
  StepTable(const comm::Collectives& comm, std::filesystem::path file,
            std::vector<std::string> columns, std::optional<long long> restart_step);

  /// Notes a row; rank 0's numbers count, one a column. A step that the table already has (its
  /// last one, after a restart) is not written again.
  void add(long long step, std::span<const double> values);
  /// Collective. Writes the rows noted since.
  void flush();
  /// Collective. Both.
  void append(long long step, std::span<const double> values) {
    add(step, values);
    flush();
  }

  /// Numbers of one column by step.
  using Column = std::vector<std::pair<long long, double>>;
  /// Collective, at the end. Writes the rows noted since; where the file has two or more, rank 0
  /// calls `draw` with the numbers of one column.
  void finish(const std::string& name, const std::function<void(const Column&)>& draw);

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  /// As they stand in the file. For rank 0.
  [[nodiscard]] Column column(const std::string& name) const;

 private:
  void start_file() const;
  void keep_rows_up_to(long long step);

  const comm::Collectives& comm_;
  std::filesystem::path file_;
  std::vector<std::string> columns_;
  std::optional<long long> last_step_;  // on rank 0, as what follows
  std::string pending_;
  bool misfit_ = false;  // a row with another number of columns was noted
};

}  // namespace cartwright::grid
