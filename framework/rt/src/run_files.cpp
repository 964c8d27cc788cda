// SPDX-License-Identifier: Apache-2.0
#include "run_files.hpp"

#include <fmt/format.h>

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <cartwright/rt/write_fault.hpp>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace cartwright::rt {
namespace {

void describe_run(Runtime& runtime, double wall_seconds) {
  runtime.report()
      .section("run")
      .add("program", runtime.program().name)
      .add("version", runtime.program().version)
      .add("commit", runtime.program().commit)
      .add("deck", runtime.deck().file_name().empty() ? "none" : runtime.deck().file_name())
      .add("ranks", runtime.comm().size())
      .add("exit code", static_cast<int>(runtime.exit_code()))
      .add("wall time", wall_seconds, "s");
}

void write_report(Runtime& runtime) {
  if (!runtime.comm().is_root()) return;
  runtime.log().info("\n" + runtime.report().text());
  if (runtime.output_directory().empty()) return;
  const auto path = (std::filesystem::path(runtime.output_directory()) / "report.json").string();
  try {
    replace_file(path, runtime.report().json());
  } catch (const std::system_error& error) {
    runtime.log().warning(
        fmt::format("cannot write {}: {}", path, write_fault(path, error.code().value())));
  }
}

void write_timeline(Runtime& runtime) {
  const auto path = runtime.trace_path();
  if (path.empty()) return;
  try {
    const auto dropped = runtime.trace().write(runtime.comm(), path);
    runtime.log().entry("timeline", path + " (open it at ui.perfetto.dev)");
    if (dropped > 0) {
      runtime.log().warning(fmt::format("the timeline lacks the last {} spans", dropped));
    }
  } catch (const Error& error) {
    if (error.reach() == Reach::this_rank) throw;
    runtime.log().warning(error.what());
  }
}

}  // namespace

void write_run_files(Runtime& runtime) {
  const double wall_seconds = seconds_between(runtime.started(), now());
  TimeTable times = gather_regions(runtime.comm(), runtime.trace(), wall_seconds);
  describe_run(runtime, times.whole.maximum);
  runtime.report().set_times(std::move(times));
  write_report(runtime);
  write_timeline(runtime);
}

}  // namespace cartwright::rt
