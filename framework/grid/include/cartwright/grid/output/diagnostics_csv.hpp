// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cartwright::grid {

/// Numbers over time: `step,time,dt,COLUMNS…`, one row an output, written by rank 0 and flushed at
/// once. Numbers are the shortest decimals that read back as the same bits.
class DiagnosticsCsv {
 public:
  /// Collective. On restart, rows after `restart_step` (and a half-written last row) are cut off;
  /// throws `rt::Error` (input error, all ranks) if the file there has other columns.
  DiagnosticsCsv(const comm::Collectives& comm, std::filesystem::path file,
                 std::vector<std::string> columns, std::optional<long long> restart_step);

  /// Collective. `values` has one number a column; rank 0's are written. A step that the file
  /// already has (its last one, after a restart) is not written again.
  void append(long long step, double time, double time_step, std::span<const double> values);

 private:
  void start_file() const;
  void keep_rows_up_to(long long step);

  const comm::Collectives& comm_;
  std::filesystem::path file_;
  std::vector<std::string> columns_;
  std::optional<long long> last_step_;  // on rank 0
};

}  // namespace cartwright::grid
