// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/log.hpp>
#include <chrono>
#include <optional>
#include <string>

namespace cartwright::rt {

struct SectionNode;

/// The keys of a deck that belong to the process itself.
struct ProcessOptions {
  struct LogOptions {
    LogLevel level = LogLevel::normal;
  };
  struct StopOptions {
    std::optional<std::chrono::duration<double>> wall_time;
  };
  LogOptions log;                    ///< `log.level`
  StopOptions stop;                  ///< `stop.wall_time`
  std::optional<std::string> trace;  ///< `trace`: a file name; empty or absent: no timeline
};

/// Adds the keys to `root`, bound to `options`, which must outlive the use of `root`.
void bind_process_options(SectionNode& root, ProcessOptions& options);

}  // namespace cartwright::rt
