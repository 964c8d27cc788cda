// SPDX-License-Identifier: Apache-2.0
#include "run_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

namespace cartwright::rt {
namespace {

/// Complete or not at all: another name first. Returns 0 or the error number.
int write_file(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  errno = 0;
  std::FILE* const file = std::fopen(part.c_str(), "w");
  if (file == nullptr) return errno;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed && std::rename(part.c_str(), path.c_str()) == 0) return 0;
  const int failure = errno != 0 ? errno : EIO;
  std::remove(part.c_str());
  return failure;
}

void describe_run(Runtime& runtime, double wall_seconds) {
  runtime.report()
      .section("run")
      .add("program", runtime.program().name)
      .add("version", runtime.program().version)
      .add("commit", runtime.program().commit)
      .add("deck", runtime.deck().file_name())
      .add("ranks", runtime.comm().size())
      .add("exit code", static_cast<int>(runtime.exit_code()))
      .add("wall time", wall_seconds, "s");
}

void write_report(Runtime& runtime) {
  if (!runtime.comm().is_root()) return;
  runtime.log().info("\n" + runtime.report().text());
  if (runtime.output_directory().empty()) return;
  const auto path = (std::filesystem::path(runtime.output_directory()) / "report.json").string();
  if (const int failure = write_file(path, runtime.report().json()); failure != 0) {
    runtime.log().warning(fmt::format("cannot write {}: {}", path, std::strerror(failure)));
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
