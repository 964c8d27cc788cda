// SPDX-License-Identifier: Apache-2.0
// A Run from a deck's text, for tests of fields and exchanges without a program around them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/runtime.hpp>
#include <memory>
#include <string>
#include <utility>

namespace cartwright::grid::test {

/// All that a grid needs of a run of a solver with the fields `u`, `v`, `temperature`. Collective.
class SampleRun {
 public:
  explicit SampleRun(const std::string& deck_text) {
    entry_.name = "sample";
    entry_.fields = {{"temperature", "K"},
                     {"u", ""},
                     {"v", "m"},
                     {"gas", "", {{"density"}, per_axis("velocity"), {"pressure"}}}};
    rt::Deck deck = rt::Deck::parse(deck_text, "sample.yaml", {"time.steps=1"});
    rt::SectionNode root;
    bind_run_options(root, request_.options);
    mapping::schema().bind(root.add_section("mapping", ""), request_.mapping);
    comm::schema().bind(root.add_section("comm"), request_.comm);
    bind_field_data(root, entry_.fields, request_.fields);
    deck.apply(root);
    complete_run_options(deck, request_.options);
    runtime_ = std::make_unique<rt::Runtime>(session_, rt::Program{"test", "0", "", "", {}},
                                             rt::CommandLine{}, std::move(deck),
                                             rt::ProcessOptions{}, rt::now());
    runtime_->progress().set_oversubscribed(true);
    run_ = std::make_unique<Run>(*runtime_, request_, entry_);
  }

  [[nodiscard]] Run& operator*() { return *run_; }
  [[nodiscard]] Run* operator->() { return run_.get(); }
  [[nodiscard]] RunOptions& options() { return request_.options; }

 private:
  rt::MpiSession session_;  // borrows the MPI that has begun already
  SolverEntry entry_;
  RunRequest request_;
  std::unique_ptr<rt::Runtime> runtime_;
  std::unique_ptr<Run> run_;
};

}  // namespace cartwright::grid::test
