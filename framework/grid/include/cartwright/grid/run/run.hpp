// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/grid/run/boundary_condition.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/iterations.hpp>
#include <cartwright/grid/run/run_state.hpp>
#include <cartwright/grid/run/solver.hpp>
#include <cartwright/grid/run/steps.hpp>
#include <cartwright/grid/space/grid_spec.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cartwright::comm {
class CartComm;
class Collectives;
}  // namespace cartwright::comm

namespace cartwright::grid {

class Formula;
class Table;
struct FieldData;
struct FormulaTexts;
struct InitialData;
struct RunRequest;
struct Sample;
class WorkBalance;

/// By Face::number().
using BoundaryConditions = std::array<BoundaryCondition, 6>;

/// What a run has come to, for the words at its end.
struct Outcome {
  std::vector<std::pair<std::string, std::string>> results;  ///< what, and where it is
  long long steps_done = 0;
  bool is_complete = true;  ///< false from a loop's begin until its last state is written
};

/// An app with steps or iterations: one run of one solver, what the deck says, and where the run is
/// in time. A solver receives it and passes it to its grid.
class Run : public App {
 public:
  /// With a `sample` (under --dry-run and --check), only a few steps are made, and nothing is
  /// written. `work` outlives this.
  Run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver,
      Sample* sample = nullptr, WorkBalance* work = nullptr);

  /// Sets the fields from the deck's `initial` section: by name, formula or file.
  template <class... Fields>
  void initialize(Fields&... fields) {
    for (FieldBase* const field : list_of(fields...)) initialize_field(*field);
  }
  /// Runs `body` now, unless the run is a restart: for what only a fresh start needs, such as
  /// initial values that are computed. It may exchange, reduce, solve, place particles and set
  /// Scalars; all ranks call it, before the loop.
  template <class Body>
  void on_fresh_start(Body&& body) {
    const auto begun = state_.begin_fresh_start();
    if (!is_restart()) std::forward<Body>(body)();
  }
  /// The run's time steps. `fields` are what the solver needs to go on after a restart, besides its
  /// Scalars and Arrays: checkpoints hold them. Declared ones and particles are also output.
  /// Swap-safe.
  ///
  /// Collective. A restart fills them all here, and once more when the loop begins, if the solver
  /// has changed them meanwhile.
  template <class... Fields>
  [[nodiscard]] Steps steps(Fields&... fields) {
    return Steps(*this, list_of(fields...));
  }
  /// Iterations towards a solution, until the residual is as small as the deck's section
  /// `iteration` wants it: `for (auto k : run.iterations(u, r, p)) k.residual(norm);`. `fields` as
  /// with steps(). Collective.
  template <class... Fields>
  [[nodiscard]] Iterations iterations(Fields&... fields) {
    return Iterations(*this, list_of(fields...));
  }

  /// `field` is part of output, pictures and diagnostics, as the fields of steps() are, but not of
  /// the run's state: `fill()` computes it before it is written. For what follows from the state,
  /// such as a vorticity. The solver declares it. `fill` may exchange; all ranks call it.
  void show(FieldBase& field, std::function<void()> fill);

  /// Maps leave out the points where `field` isn't 0, such as those inside of obstacles, unless the
  /// deck's output.pictures.mask names another one. It outlives the run's loop. Throws an internal
  /// failure (all ranks) for a field of several components.
  void mask(const FieldBase& field);

  /// The time that boundary conditions hold at: of the values that the current step starts from.
  [[nodiscard]] double time() const noexcept { return time_; }
  /// Steps that are complete.
  [[nodiscard]] long long step() const noexcept { return step_; }

  /// True if the run goes on from a checkpoint.
  [[nodiscard]] bool is_restart() const noexcept;
  /// Where a solver may put files of its own; empty before the loop begins, and where nothing is
  /// written (--dry-run).
  [[nodiscard]] const std::string& output_directory() const noexcept {
    return runtime().output_directory();
  }
  /// The solver's own.
  [[nodiscard]] std::vector<Table*>& tables() noexcept { return tables_; }
  [[nodiscard]] const std::vector<Table*>& tables() const noexcept { return tables_; }
  /// What belongs to the run's state beside its fields.
  [[nodiscard]] RunState& state() noexcept { return state_; }
  [[nodiscard]] const RunOptions& options() const noexcept;
  [[nodiscard]] const SolverEntry& solver() const noexcept { return solver_; }
  [[nodiscard]] const FieldData& field_data() const noexcept;
  /// What the deck says about the faces of the field `name`, whose elements have so many
  /// components, or else the solver; Dirichlet 0 for one that isn't declared.
  [[nodiscard]] BoundaryConditions boundary_deck(const std::string& name, int components) const;
  /// Collective. What the planes of cells across each axis weigh, by the deck's `grid.weights`;
  /// empty if it has none. Throws Deck::error for weights that are no numbers, or negative.
  [[nodiscard]] PlaneWeights plane_weights(const GridDescription& grid,
                                           const comm::Collectives& comm) const;
  /// Collective. Where the run's own grid is cut: by these weights, by what is known of the work
  /// (grid.balance), here or in a checkpoint, or evenly.
  [[nodiscard]] Cuts cuts(const GridDescription& grid, const comm::CartComm& comm);
  /// The directory of the run's results, which needn't be there yet.
  [[nodiscard]] std::string results() const;
  /// What the deck gives for `field` with the key `path`: a formula for each component, or none
  /// where it names only others. Throws Deck::error.
  [[nodiscard]] std::vector<std::optional<Formula>> formulas(const std::string& field,
                                                             const std::string& path,
                                                             const FormulaTexts& texts,
                                                             int components) const;
  /// What the solver declares of the field `name`; nullptr if nothing.
  [[nodiscard]] const FieldInfo* declared(const std::string& name) const;
  /// The unit that the solver declared for the field `name`; empty if it declared none.
  [[nodiscard]] std::string unit_of(const std::string& name) const;
  /// lx, ly, lz and the solver's numbers, for formulas.
  [[nodiscard]] std::map<std::string, double> formula_constants() const;

  /// Called by every new field storage, so that --dry-run knows what a solver needs. `halo`: that
  /// it has; `reach`: what one step reads of it.
  void note_storage(std::size_t bytes_per_point, int halo, int reach);
  [[nodiscard]] Sample* sample() const noexcept { return sample_; }
  [[nodiscard]] Outcome& outcome() noexcept { return outcome_; }
  /// Who has how much to do; null where the deck doesn't ask.
  [[nodiscard]] WorkBalance* work() const noexcept { return work_; }
  struct ShownField {
    FieldBase* field;
    std::function<void()> fill;
  };
  [[nodiscard]] const std::vector<ShownField>& shown() const noexcept { return shown_; }
  /// Of its pictures; null: none.
  [[nodiscard]] const FieldBase* mask() const noexcept { return mask_; }

 private:
  friend class StepLoop;
  /// Fields, and those of which others consist (see Staggered).
  template <class... Fields>
  [[nodiscard]] static std::vector<FieldBase*> list_of(Fields&... fields) {
    std::vector<FieldBase*> list;
    [[maybe_unused]] const auto add = [&list](auto& field) {
      if constexpr (requires { field.parts(); })
        for (auto& part : field.parts()) list.push_back(&part);
      else if constexpr (std::is_base_of_v<FieldBase, std::remove_reference_t<decltype(field)>>)
        list.push_back(&field);
      else
        static_assert(refused::never<decltype(field)>,
                      "cartwright: a run takes fields, not views or numbers: run.steps(u), "
                      "run.iterations(u), run.initialize(u)");
    };
    (add(fields), ...);
    return list;
  }
  void initialize_field(FieldBase& field);
  void read_initial_file(FieldBase& field, const InitialData& data);

  const RunRequest& request_;
  const SolverEntry& solver_;
  Sample* sample_;
  WorkBalance* work_;
  Outcome outcome_;
  RunState state_;
  std::vector<Table*> tables_;
  std::vector<ShownField> shown_;
  const FieldBase* mask_ = nullptr;
  std::set<std::string> initialized_;  // names of fields
  double time_ = 0.0;
  long long step_ = 0;
};

/// Runs the solver that the deck names: command line, MPI, Kokkos, deck, log, signals and exit code
/// are taken care of. Returns what `main` returns.
int run(int argc, char** argv, std::vector<SolverEntry> solvers);

}  // namespace cartwright::grid
