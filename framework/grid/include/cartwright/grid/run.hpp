// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/options.hpp>
#include <cartwright/grid/boundary_condition.hpp>
#include <cartwright/grid/field_base.hpp>
#include <cartwright/grid/field_data.hpp>
#include <cartwright/grid/run_options.hpp>
#include <cartwright/grid/solver.hpp>
#include <cartwright/grid/steps.hpp>
#include <cartwright/mapping/options.hpp>
#include <cartwright/rt/runtime.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

/// By Face::number(). No value: the default, Dirichlet 0.
using BoundaryConditions = std::array<std::optional<BoundaryCondition>, 6>;

/// What a deck has asked for; filled when the deck is read.
struct RunRequest {
  RunOptions options;
  mapping::Options mapping;
  comm::Options comm;
  FieldData fields;  ///< initial, boundary and exact data of declared fields
};

/// One run of one solver: what the deck says, and where the run is in time. A solver receives it and
/// passes it to its grid.
class Run {
 public:
  Run(rt::Runtime& runtime, RunRequest& request, const SolverEntry& solver);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Sets the fields from the deck's `initial` section: by name, formula or file.
  template <class... Fields>
  void initialize(Fields&... fields) {
    (initialize_field(fields), ...);
  }
  /// The run's time steps. `fields` are what the solver needs to go on after a restart: checkpoints hold
  /// them, and a restart fills them when the loop begins. Declared ones are also output. Swap-safe.
  template <class... Fields>
  [[nodiscard]] Steps steps(Fields&... fields) {
    return Steps(*this, std::vector<FieldBase*>{&fields...});
  }

  /// The time that boundary conditions hold at: of the values that the current step starts from.
  [[nodiscard]] double time() const noexcept { return time_; }
  /// Steps that are complete.
  [[nodiscard]] long long step() const noexcept { return step_; }

  [[nodiscard]] rt::Runtime& runtime() const noexcept { return runtime_; }
  [[nodiscard]] const RunOptions& options() const noexcept { return request_.options; }
  [[nodiscard]] const mapping::Options& mapping_options() const noexcept { return request_.mapping; }
  [[nodiscard]] const comm::Options& comm_options() const noexcept { return request_.comm; }
  [[nodiscard]] const SolverEntry& solver() const noexcept { return solver_; }
  [[nodiscard]] const FieldData& field_data() const noexcept { return request_.fields; }
  /// What the deck says about the faces of the field `name`; nothing for a field that isn't declared.
  [[nodiscard]] BoundaryConditions boundary_deck(const std::string& name) const;
  /// The unit that the solver declared for the field `name`; empty if it declared none.
  [[nodiscard]] std::string unit_of(const std::string& name) const;
  /// lx, ly, lz and the solver's numbers, for formulas.
  [[nodiscard]] FormulaConstants formula_constants() const;

  /// Called by every new field storage, so that --dry-run knows what a solver needs.
  void note_storage(std::size_t bytes_per_point, int halo) { storages_.push_back({bytes_per_point, halo}); }
  /// True under --dry-run: the solver runs a few steps on a small grid, and nothing is written.
  [[nodiscard]] bool is_planning() const noexcept { return planning_; }

 private:
  friend class Steps;
  friend class Planner;
  struct StorageNote {
    std::size_t bytes_per_point;
    int halo;
  };
  void initialize_field(FieldBase& field);

  rt::Runtime& runtime_;
  RunRequest& request_;
  const SolverEntry& solver_;
  double time_ = 0.0;
  long long step_ = 0;
  bool planning_ = false;
  std::vector<StorageNote> storages_;
};

/// Runs the solver that the deck names: command line, MPI, Kokkos, deck, log, signals and exit code
/// are taken care of. Returns what `main` returns.
int run(int argc, char** argv, std::vector<SolverEntry> solvers);

}  // namespace cartwright::grid
