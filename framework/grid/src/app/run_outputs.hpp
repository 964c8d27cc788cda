// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/grid/output/convergence_history.hpp>
#include <cartwright/grid/output/field_series.hpp>
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/output/picture_series.hpp>
#include <cartwright/grid/output/step_table.hpp>
#include <cartwright/grid/output/volume/volume_series.hpp>
#include <cartwright/rt/trace.hpp>
#include <optional>
#include <vector>

#include "shown_fields.hpp"
#include "solution_files.hpp"
#include "table_files.hpp"

namespace cartwright::grid {

class Run;

/// When something that a deck asks for is due.
struct Schedule {
  long long every = 0;                            ///< 0: not at regular steps
  bool at_ends = false;                           ///< also after the first and last step
  std::optional<double> interval = std::nullopt;  ///< and whenever so much time has passed
};

/// Collective. Refuses where results cannot go, without writing there: for --check and --dry-run.
void require_output_directory(const Run& run, const GridBase& grid);

/// All that one run writes: output, pictures, diagnostics and checkpoints, each when it is due.
class RunOutputs {
 public:
  struct Moment {
    long long step = 0;
    double time = 0.0;
    double time_step = 0.0;
    double time_before = 0.0;  ///< of the step before
    bool is_last = false;
    std::string ended_because = {};  ///< why the solver makes no further step
    bool is_whole = true;            ///< false: an error has ended the step halfway
    long long since_step = 0;        ///< as in CheckpointState
    double since_time = 0.0;
  };

  /// Collective: prepares the directory. `fields` are the run's state.
  RunOutputs(Run& run, std::vector<FieldBase*> fields, ShownFields shown, bool iterates);
  RunOutputs(const RunOutputs&) = delete;
  RunOutputs& operator=(const RunOutputs&) = delete;
  ~RunOutputs();

  /// Collective. Fills fields and numbers from the newest whole checkpoint.
  void restore();
  /// Collective. Restores what the solver has changed since.
  void restore_changed();
  /// Where the run stood, if it was restored.
  [[nodiscard]] const std::optional<CheckpointState>& restored() const { return restored_; }
  /// Collective. Opens the files; outputs of steps after `restart_step` are removed.
  void open(std::optional<long long> restart_step);
  /// True if `write` would write fields, pictures, diagnostics or a checkpoint.
  [[nodiscard]] bool is_due(const Moment& moment) const;
  /// No checkpoint of a step that isn't whole.
  void write(const Moment& moment);
  void write_checkpoint(const Moment& moment);
  /// Of a run that iterates: its residual, now and compared with the first one.
  void note_residual(long long iteration, double residual, double relative);
  /// What the loops inside of a step have come to. Collective.
  void note_solutions(long long step);
  /// Collective, after the last step or when stopping early (`is_complete` false). Gives pictures
  /// their common range.
  void finish(bool is_complete);

  [[nodiscard]] bool wrote_checkpoint_at(long long step) const { return last_checkpoint_ == step; }
  [[nodiscard]] const OutputDirectory& directory() const { return directory_; }
  /// Norms of the last row of diagnostics, by column.
  [[nodiscard]] const std::vector<double>& last_row() const { return row_; }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }

 private:
  void make_columns();
  void fill_row(const Moment& moment);
  [[nodiscard]] static bool is_due(const Schedule& schedule, const Moment& moment);
  void fill_shown();
  void open_volumes(std::optional<long long> restart_step);
  void draw_volume(const Moment& moment);
  void announce_results();
  void flush_tables();

  Run& run_;
  std::vector<FieldBase*> fields_;
  ShownFields shown_;
  OutputDirectory directory_;
  CheckpointStore checkpoints_;
  std::optional<FieldSeries> series_;
  std::optional<PictureSeries> pictures_;
  std::optional<VolumeSeries> volumes_;
  std::optional<StepTable> diagnostics_;
  bool iterates_;
  std::optional<ConvergenceHistory> convergence_;
  std::optional<TableFiles> tables_;
  std::optional<SolutionFiles> solutions_;
  Schedule output_due_, pictures_due_, volumes_due_, diagnostics_due_, checkpoint_due_;
  std::vector<std::string> columns_;
  std::vector<double> row_;
  long long last_checkpoint_ = -1;
  bool may_have_checkpoint_ = false;  ///< also one whose writing has failed, at the very end
  std::optional<CheckpointState> restored_;
  rt::RegionId output_region_, pictures_region_, volumes_region_, diagnostics_region_,
      checkpoint_region_;
};

}  // namespace cartwright::grid
