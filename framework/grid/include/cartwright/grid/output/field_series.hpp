// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/run_info.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

/// How floating-point fields are stored. Integers are stored as they are.
enum class Precision { float32, float64 };

/// Fields over time: one HDF5 file a step (`fields/NAME_0000000100.h5`), which appears whole or not
/// at all, and one time series `NAME.xdmf` that ParaView opens. Datasets have shape (nz, ny, nx[,
/// components]).
class FieldSeries {
 public:
  struct Options {
    Precision precision = Precision::float64;
    RunInfo info;
    /// On restart: outputs of later steps are removed, earlier ones stay in the series.
    std::optional<long long> restart_step;
  };

  /// Collective. `directory` exists and is this run's own. `fields` must outlive the series.
  FieldSeries(const comm::Collectives& comm, GridDescription grid, std::filesystem::path directory,
              std::string name, std::vector<const FieldBase*> fields, Options options);

  /// Collective. Throws `rt::Error` (input error, all ranks) when the disk is full, or when a field
  /// is too large or too small for the precision; then no file is begun.
  void write(long long step, double time);

  /// What ParaView opens.
  [[nodiscard]] std::filesystem::path index_file() const;

 private:
  struct Output {
    long long step = 0;
    double time = 0;
  };
  [[nodiscard]] std::filesystem::path data_file(long long step) const;
  void recover(long long restart_step);
  void write_index() const;

  const comm::Collectives& comm_;
  GridDescription grid_;
  std::filesystem::path directory_;
  std::string name_;
  std::vector<const FieldBase*> fields_;
  Options options_;
  std::vector<Output> outputs_;  // on rank 0
};

}  // namespace cartwright::grid
