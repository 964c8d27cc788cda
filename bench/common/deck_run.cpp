// SPDX-License-Identifier: Apache-2.0
#include "deck_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cartwright/rt/version.hpp>
#include <filesystem>
#include <system_error>
#include <utility>

namespace cartwright::bench {

namespace {

/// The tree that the deck is checked against, bound to `request` and to the solver's parameters.
rt::SectionNode schema_of(const grid::SolverEntry& solver, grid::RunRequest& request) {
  rt::SectionNode root;
  grid::bind_run_options(root, request.options);
  mapping::schema().bind(root.add_section("mapping"), request.mapping);
  comm::schema().bind(root.add_section("comm"), request.comm);
  solver.bind(root.add_section(solver.name));
  grid::bind_field_data(root, solver.fields, request.fields);
  return root;
}

}  // namespace

void run_deck(const grid::SolverEntry& solver, const std::string& deck_text,
              grid::WorkBalance* work) {
  grid::RunRequest request;
  rt::SectionNode root = schema_of(solver, request);
  rt::Deck deck = rt::Deck::parse(deck_text, "bench_" + solver.name + ".yaml");
  deck.apply(root);
  grid::complete_run_options(deck, request.options);
  rt::ProcessOptions process;
  process.log.level = rt::LogLevel::quiet;
  const rt::Program program{
      "bench", std::string(rt::version()), std::string(rt::commit()), solver.about, {}};
  rt::MpiSession session;  // borrows the MPI that has begun already
  rt::Runtime runtime(session, program, {}, std::move(deck), process, rt::now());
  grid::WorkBalance own(grid::WorkBalance::use_named(request.options.grid.balance));
  (void)grid::run_solver(runtime, request, solver, work != nullptr ? *work : own);
}

ScratchDirectory::ScratchDirectory(const rt::Communicator& world) : removes_(world.is_root()) {
  const auto number = rt::shared(world, getpid());
  path_ = (std::filesystem::temp_directory_path() / fmt::format("cartwright-bench-{}", number))
              .string();
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (removes_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace cartwright::bench
