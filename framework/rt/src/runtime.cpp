// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <cartwright/rt/watcher.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace cartwright::rt {
namespace {

constexpr std::size_t spans_of_a_rank = 1U << 19U;  // 12 MiB

LogLevel chosen_level(const CommandLine& command_line, const ProcessOptions& options) {
  if (command_line.quiet || command_line.mode == Mode::check) return LogLevel::quiet;
  if (command_line.verbose) return LogLevel::verbose;
  // A plan is what was asked for, whatever the deck says of runs.
  return command_line.mode == Mode::dry_run ? std::max(options.log.level, LogLevel::normal)
                                            : options.log.level;
}

std::optional<double> seconds(const std::optional<std::chrono::duration<double>>& duration) {
  if (!duration) return std::nullopt;
  return duration->count();
}

}  // namespace

struct Runtime::Parts {
  Parts(MpiSession& session, Program offered, CommandLine asked, Deck read, ProcessOptions chosen,
        Ticks begun)
      : comm(session.world().duplicate()),
        arena(session.arena()),
        program(std::move(offered)),
        command_line(std::move(asked)),
        deck(std::move(read)),
        options(std::move(chosen)),
        started(begun),
        log(comm.is_root(), chosen_level(command_line, options)),
        progress_line(log),
        stop(comm, begun, seconds(options.stop.wall_time)),
        watcher(session.watcher()) {}

  Communicator comm;
  Arena arena;
  Program program;
  CommandLine command_line;
  Deck deck;
  ProcessOptions options;
  Ticks started;
  Log log;
  ProgressEngine progress;
  ProgressLine progress_line;
  Trace trace;
  StopControl stop;
  Report report;
  Watcher& watcher;
};

Runtime::Runtime(MpiSession& session, Program program, CommandLine command_line, Deck deck,
                 ProcessOptions options, Ticks started)
    : parts_(std::make_unique<Parts>(session, std::move(program), std::move(command_line),
                                     std::move(deck), std::move(options), started)) {
  if (const auto& file = parts_->options.trace; file && !file->empty())
    parts_->trace.record_spans(spans_of_a_rank);
  parts_->comm.barrier();  // from which on the ranks' clocks are taken to agree
  parts_->trace.set_origin(now());
}
Runtime::~Runtime() = default;

const Communicator& Runtime::comm() const noexcept {
  return parts_->comm;
}
const Arena& Runtime::arena() const noexcept {
  return parts_->arena;
}
const Program& Runtime::program() const noexcept {
  return parts_->program;
}
const CommandLine& Runtime::command_line() const noexcept {
  return parts_->command_line;
}
const Deck& Runtime::deck() const noexcept {
  return parts_->deck;
}
Log& Runtime::log() noexcept {
  return parts_->log;
}
ProgressEngine& Runtime::progress() noexcept {
  return parts_->progress;
}
ProgressLine& Runtime::progress_line() noexcept {
  return parts_->progress_line;
}
Trace& Runtime::trace() noexcept {
  return parts_->trace;
}
StopControl& Runtime::stop() noexcept {
  return parts_->stop;
}
Watcher& Runtime::watcher() noexcept {
  return parts_->watcher;
}
Report& Runtime::report() noexcept {
  return parts_->report;
}
Ticks Runtime::started() const noexcept {
  return parts_->started;
}

void Runtime::set_output_directory(const std::string& path) {
  output_directory_ = path;
  parts_->stop.watch_file((std::filesystem::path(path) / "STOP").string());
  parts_->watcher.use_directory(path);
}

std::string Runtime::trace_path() const {
  const std::optional<std::string>& file = parts_->options.trace;
  if (!file || file->empty()) return {};
  const std::filesystem::path name = *file;
  if (name.has_parent_path() || output_directory_.empty()) return name.string();
  return (std::filesystem::path(output_directory_) / name).string();
}

}  // namespace cartwright::rt
