// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/grid/output/edges_file.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/version.hpp>
#include <filesystem>
#include <memory>
#include <set>

#include "call_solver.hpp"
#include "dry_run.hpp"
#include "kokkos_session.hpp"

namespace cartwright::grid {
namespace {

/// What the modules of one program share.
struct ProgramState {
  std::vector<SolverEntry> solvers;
  const SolverEntry* chosen = nullptr;  // known once a deck is read
  std::string solver_name;
  RunRequest request;
  Outcome outcome;
};

const SolverEntry* find_solver(const ProgramState& state, const std::string& name) {
  for (const SolverEntry& solver : state.solvers)
    if (solver.name == name) return &solver;
  return nullptr;
}

void choose_solver(ProgramState& state, const rt::Deck& deck) {
  if (const auto name = deck.peek("solver"))
    state.chosen = find_solver(state, *name);
  else if (state.solvers.size() == 1)
    state.chosen = &state.solvers.front();
}

/// All solvers' sections and fields as long as no solver is chosen (for the reference).
void bind_solvers(rt::SectionNode& root, ProgramState& state) {
  std::vector<FieldInfo> fields;
  std::set<std::string> known;
  FormulaConstants& names = state.request.fields.names;
  names = {{"lx", 1.0}, {"ly", 1.0}, {"lz", 1.0}};
  for (const SolverEntry& solver : state.solvers) {
    if (state.chosen != nullptr && state.chosen != &solver) continue;
    rt::SectionNode own;
    if (solver.bind) solver.bind(own);
    if (!own.keys.empty() || !own.sections.empty())
      solver.bind(root.add_section(solver.name, solver.about));
    names.merge(numbers_of(solver));
    for (const FieldInfo& field : solver.fields)
      if (known.insert(field.name).second) fields.push_back(field);
  }
  bind_field_data(root, fields, state.request.fields);
}

void bind_schema(rt::SectionNode& root, ProgramState& state) {
  std::vector<std::string> names;
  for (const SolverEntry& solver : state.solvers) names.push_back(solver.name);
  bind_solver_key(root, state.solver_name, names);
  bind_run_options(root, state.request.options);
  bind_solvers(root, state);
  bind_app_options(root, state.request);
}

void check_files(const rt::Deck& deck, const FieldData& data) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const auto& [name, field] : data.of) {
    if (!field.initial || field.initial->kind != InitialData::Kind::file) continue;
    const std::string& file = field.initial->name;
    if (!fs::exists(file, ignored))
      throw deck.error("initial." + name, fmt::format("the file '{}' does not exist", file));
    if (!fs::is_regular_file(file, ignored))
      throw deck.error("initial." + name,
                       fmt::format("'{}' is a directory, a pipe or a device, not a file", file));
  }
}

void check_deck(const rt::Deck& deck, ProgramState& state) {
  RunOptions& options = state.request.options;
  state.chosen = find_solver(state, state.solver_name);
  read_edges(deck, options.grid);
  complete_run_options(deck, options);
  check_app_options(deck, state.request, options.grid.extent);
  check_field_data(deck, options.grid.periodic, state.request.fields);
  check_files(deck, state.request.fields);
  check_weights(deck, options.grid.weights, formula_constants(*state.chosen, options.grid));
  for (std::size_t axis = 0; axis < 3 && !state.chosen->bears_stretched_cells; ++axis)
    if (!options.grid.edges[axis].empty())
      throw deck.error(std::string("grid.coordinates.") + "xyz"[axis],
                       fmt::format("the solver '{}' wants cells that are equal along each axis",
                                   state.chosen->name),
                       "Leave 'grid.coordinates' out.");
  const int dimensions = options.dimensions();
  if (!state.chosen->functions[static_cast<std::size_t>(dimensions) - 1])
    throw deck.error(
        "grid.extent",
        fmt::format("'grid.extent' has {} number{}, but the solver '{}' has no {}-D form",
                    dimensions, dimensions == 1 ? "" : "s", state.chosen->name, dimensions));
}

void say_results(rt::Runtime& runtime, const ProgramState& state) {
  for (const auto& [what, where] : state.outcome.results) runtime.log().entry(what, where);
}

void solve(rt::Runtime& runtime, ProgramState& state) {
  WorkBalance work(WorkBalance::use_named(state.request.options.grid.balance));
  state.outcome = run_solver(runtime, state.request, *state.chosen, work);
}

std::vector<rt::Module> make_modules(const std::shared_ptr<ProgramState>& state) {
  rt::Module results;  // first, because the first one is stopped last
  results.name = "results";
  results.stop = [state](rt::Runtime& runtime) { say_results(runtime, *state); };
  rt::Module deck;
  deck.name = "grid";
  deck.peek = [state](const rt::Deck& given) { choose_solver(*state, given); };
  deck.schema = [state](rt::SectionNode& root) { bind_schema(root, *state); };
  deck.check = [state](const rt::Deck& given) { check_deck(given, *state); };
  deck.start = [state](rt::Runtime& runtime) {
    require_same_edges(runtime.comm(), state->request.options.grid);
    runtime.log().entry("solver", fmt::format("{}, {}", state->chosen->name, state->chosen->about));
  };
  return {std::move(results), std::move(deck), kokkos_module()};
}

}  // namespace

Outcome run_solver(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver,
                   WorkBalance& work) {
  while (true) {
    Run run(runtime, request, solver, nullptr, work.is_wanted() ? &work : nullptr);
    work.begin_run(run);
    try {
      call_solver(solver, run);
    } catch (const WorkMoves&) {
      work.move(run);
      continue;
    }
    if (run.outcome().is_complete) return run.outcome();
    throw rt::internal_failure(
        "the solver has caught an error that left its loop of steps: the last state is missing",
        "Leave the loop by break, return or steps.stop(), or let the error end the run.");
  }
}

/// Before main, and before objects of the program are made: what they throw is said, too.
[[gnu::constructor(101)]] static void say_what_nobody_catches() {
  rt::say_uncaught_exceptions_once();
}

int run(int argc, char** argv, std::vector<SolverEntry> solvers) {
  const auto state = std::make_shared<ProgramState>();
  state->solvers = std::move(solvers);
  rt::Program program;
  program.name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "cartwright";
  program.version = rt::version();
  program.commit = rt::commit();
  for (const SolverEntry& solver : state->solvers)
    program.solvers.push_back({solver.name, solver.about});
  return rt::execute(
      argc, argv, program, make_modules(state),
      [state](rt::Runtime& runtime) { solve(runtime, *state); },
      [state](rt::Runtime& runtime) { plan_run(runtime, state->request, *state->chosen); },
      [state](rt::Runtime& runtime) { check_run(runtime, state->request, *state->chosen); });
}

}  // namespace cartwright::grid
