// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

class Run;

/// Numbers of a solver's own over its steps, as a file NAME.csv in the output directory:
/// `cw::Table forces(run, "forces", {"drag", "lift"})`, and in the loop
/// `forces.add(step.number, {drag, lift})`. Made before the loop, by all ranks; rank 0's numbers
/// are written, as the shortest decimals that read back as the same bits. A restart goes on in the
/// file behind the row of its checkpoint.
class Table {
 public:
  /// Throws an internal failure (all ranks) for a name that is taken, or isn't made of letters,
  /// digits, `_` and `-`.
  Table(Run& run, std::string name, std::vector<std::string> columns);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table();

  /// Notes a row, at most one a step, of which 0 is what the run begins with; it is written with
  /// the next output or checkpoint, at the latest when the run ends. One number a column. Throws an
  /// internal failure (all ranks) for a second row of a step.
  void add(long long step, std::initializer_list<double> numbers);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }

 private:
  friend class TableFiles;
  struct Row {
    long long step;
    std::vector<double> numbers;
  };

  Run& run_;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;  // not yet in the file
  std::optional<long long> last_step_;
};

}  // namespace cartwright::grid
