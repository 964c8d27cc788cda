// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cartwright/rt/trace.hpp>
#include <cartwright/rt/watcher.hpp>
#include <string>

namespace cartwright::rt {

/// Everything that belongs to one run. Made by `execute()`, passed by reference, never global.
class Runtime {
 public:
  /// Collective. `started`: when the process began, for limits and reports.
  Runtime(MpiSession& session, Program program, CommandLine command_line, Deck deck,
          ProcessOptions options, Ticks started);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// All ranks of the run.
  [[nodiscard]] const Communicator& comm() const noexcept { return comm_; }
  /// Memory that the ranks of a node share, and which nodes there are.
  [[nodiscard]] const Arena& arena() const noexcept { return arena_; }
  [[nodiscard]] const Program& program() const noexcept { return program_; }
  [[nodiscard]] const CommandLine& command_line() const noexcept { return command_line_; }
  [[nodiscard]] const Deck& deck() const noexcept { return deck_; }
  [[nodiscard]] Log& log() noexcept { return log_; }
  /// Drives what is in flight.
  [[nodiscard]] ProgressEngine& progress() noexcept { return progress_; }
  /// What a person sees of the run's steps.
  [[nodiscard]] ProgressLine& progress_line() noexcept { return progress_line_; }
  [[nodiscard]] Trace& trace() noexcept { return trace_; }
  [[nodiscard]] StopControl& stop() noexcept { return stop_; }
  [[nodiscard]] Watcher& watcher() noexcept { return watcher_; }
  [[nodiscard]] Report& report() noexcept { return report_; }
  [[nodiscard]] Ticks started() const noexcept { return started_; }

  /// Where report.json, the trace (if its name has no folder) and the stop file belong. The
  /// directory exists; the same on every rank. Without it no report.json is written.
  void set_output_directory(const std::string& path);
  [[nodiscard]] const std::string& output_directory() const noexcept { return output_directory_; }

  /// Where the timeline is written; empty when nobody asked for one.
  [[nodiscard]] std::string trace_path() const;

  /// How the process will end if nothing fails, for instance stopped_early. The same on every rank.
  void set_exit_code(ExitCode code) noexcept { exit_code_ = code; }
  [[nodiscard]] ExitCode exit_code() const noexcept { return exit_code_; }

 private:
  Communicator comm_;
  Arena arena_;
  Program program_;
  CommandLine command_line_;
  Deck deck_;
  ProcessOptions options_;
  Ticks started_;
  Log log_;
  ProgressEngine progress_;
  ProgressLine progress_line_;
  Trace trace_;
  StopControl stop_;
  Report report_;
  Watcher& watcher_;
  std::string output_directory_;
  ExitCode exit_code_ = ExitCode::finished;
};

}  // namespace cartwright::rt
