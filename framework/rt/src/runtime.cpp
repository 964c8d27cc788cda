// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/runtime.hpp>
#include <chrono>
#include <filesystem>
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

Runtime::Runtime(MpiSession& session, Program program, CommandLine command_line, Deck deck,
                 ProcessOptions options, Ticks started)
    : comm_(session.world().duplicate()),
      arena_(session.arena()),
      program_(std::move(program)),
      command_line_(std::move(command_line)),
      deck_(std::move(deck)),
      options_(std::move(options)),
      started_(started),
      log_(comm_.is_root(), chosen_level(command_line_, options_)),
      progress_line_(log_),
      stop_(comm_, started, seconds(options_.stop.wall_time)),
      watcher_(session.watcher()) {
  if (options_.trace && !options_.trace->empty()) trace_.record_spans(spans_of_a_rank);
  comm_.barrier();  // from which on the ranks' clocks are taken to agree
  trace_.set_origin(now());
}

void Runtime::set_output_directory(const std::string& path) {
  output_directory_ = path;
  stop_.watch_file((std::filesystem::path(path) / "STOP").string());
  watcher_.use_directory(path);
}

std::string Runtime::trace_path() const {
  if (!options_.trace || options_.trace->empty()) return {};
  const std::filesystem::path name = *options_.trace;
  if (name.has_parent_path() || output_directory_.empty()) return name.string();
  return (std::filesystem::path(output_directory_) / name).string();
}

}  // namespace cartwright::rt
