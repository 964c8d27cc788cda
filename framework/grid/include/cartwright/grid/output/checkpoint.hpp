// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/run_info.hpp>
#include <cartwright/grid/run/run_state.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cartwright::grid {

struct CheckpointRecord;

/// Where a run stands, besides its fields.
struct CheckpointState {
  long long step = 0;
  double time = 0;
  double time_step = 0;
  std::string ended_because;          ///< why the solver makes no further step; usually empty
  std::vector<SavedNumbers> numbers;  ///< its Scalars and Arrays
  long long since_step = 0;           ///< time steps are counted from there: its number…
  double since_time = 0;              ///< … and its time
  std::vector<double> work{};         ///< as WorkMap::densities() gives it; empty: not watched
};

/// A run's checkpoints (`checkpoints/step_0000000500.h5`, HDF5). Each is written under another
/// name, flushed to the disk, sealed with checksums and only then renamed: a run killed at any
/// moment leaves the previous one whole. Readable on any number of ranks.
class CheckpointStore {
 public:
  struct Options {
    int keep = 2;  ///< how many stay; older ones are removed once a newer one is whole
    RunInfo info;
    /// What a restart must have in common with the checkpoint besides grid and fields, such as
    /// {"solver", "heat"}, with its text in the deck.
    std::map<std::string, std::string> must_match;
    bool accept_changes = false;  ///< of all that must match, but the solver
  };
  struct Restored {
    CheckpointState state;
    std::filesystem::path file;
    std::vector<std::string>
        skipped;  ///< sentences about damaged checkpoints that were passed over
    std::vector<std::string> changed;  ///< what doesn't match and was accepted
  };

  /// Collective. `directory` is created if absent; half-written files in it are removed.
  CheckpointStore(const comm::Collectives& comm, GridDescription grid,
                  std::filesystem::path directory, Options options);

  /// Collective. Throws `rt::Error` (input error, all ranks) when the disk is full, or (internal
  /// failure) when ranks have different numbers; the previous checkpoint is then still there.
  void write(const CheckpointState& state, const std::vector<const FieldBase*>& fields);

  /// Collective. Reads the newest whole checkpoint into `fields` (owned points). Damaged ones are
  /// renamed to *.damaged and passed over. Throws `rt::Error` (input error, all ranks) if there is
  /// no whole one, or if the newest belongs to another grid, solver or set of fields, or has not
  /// the names, types and lengths of `numbers`.
  [[nodiscard]] Restored restore(const std::vector<FieldBase*>& fields,
                                 const std::vector<SavedNumbers>& numbers = {});
  /// Collective. True if the fields still have the values that restore() gave them.
  [[nodiscard]] bool are_as_restored(const std::vector<FieldBase*>& fields) const;

 private:
  void write_file(const std::filesystem::path& file, const CheckpointState& state,
                  const std::vector<const FieldBase*>& fields);
  void remove_old() const;
  /// What `record` must have.
  [[nodiscard]] std::map<std::string, std::string> required(const CheckpointRecord& record) const;

  const comm::Collectives& comm_;
  GridDescription grid_;
  std::filesystem::path directory_;
  Options options_;
  std::map<std::string, std::uint64_t> restored_;  // hashes, by field
};

/// Collective. The map of the work in the newest checkpoint of `directory` that is whole, if it has
/// one: where a grid is to be cut before its fields are read.
[[nodiscard]] std::vector<double> work_of_checkpoint(const comm::Collectives& comm,
                                                     const std::filesystem::path& directory);

}  // namespace cartwright::grid
