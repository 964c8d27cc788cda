// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cartwright/rt/trace.hpp>
#include <memory>
#include <string>

namespace cartwright::rt {

class Arena;
class Communicator;
class Deck;
class MpiSession;
class ProgressLine;
class Report;
class StopControl;
class Watcher;
struct CommandLine;
struct ProcessOptions;
struct Program;

/// Everything that belongs to one run. Made by `execute()`, passed by reference, never global.
/// What it consists of stands in headers of their own: deck.hpp, report.hpp and so on.
class Runtime {
 public:
  /// Collective. `started`: when the process began, for limits and reports.
  Runtime(MpiSession& session, Program program, CommandLine command_line, Deck deck,
          ProcessOptions options, Ticks started);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

  /// All ranks of the run.
  [[nodiscard]] const Communicator& comm() const noexcept;
  /// Memory that the ranks of a node share, and which nodes there are.
  [[nodiscard]] const Arena& arena() const noexcept;
  [[nodiscard]] const Program& program() const noexcept;
  [[nodiscard]] const CommandLine& command_line() const noexcept;
  [[nodiscard]] const Deck& deck() const noexcept;
  [[nodiscard]] Log& log() noexcept;
  /// Drives what is in flight.
  [[nodiscard]] ProgressEngine& progress() noexcept;
  /// What a person sees of the run's steps.
  [[nodiscard]] ProgressLine& progress_line() noexcept;
  [[nodiscard]] Trace& trace() noexcept;
  [[nodiscard]] StopControl& stop() noexcept;
  [[nodiscard]] Watcher& watcher() noexcept;
  [[nodiscard]] Report& report() noexcept;
  [[nodiscard]] Ticks started() const noexcept;

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
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::string output_directory_;
  ExitCode exit_code_ = ExitCode::finished;
};

}  // namespace cartwright::rt
