// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/log.hpp>
#include <cartwright/rt/value_codec.hpp>
#include <chrono>
#include <optional>
#include <string>

namespace cartwright::rt {

struct SectionNode;

/// How long somebody may show no sign of life, or everybody wait, before the run ends.
struct SilenceLimit {
  std::optional<std::chrono::duration<double>> time = std::chrono::seconds(60);  ///< nothing: off
};

/// A duration, or `off`.
template <>
struct Codec<SilenceLimit> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, SilenceLimit& value);
  static std::string show(const SilenceLimit& value, const Limits& limits);
  static std::string json_schema(const Limits&);
};

/// The keys of a deck that belong to the process itself.
struct ProcessOptions {
  struct LogOptions {
    LogLevel level = LogLevel::normal;
  };
  struct StopOptions {
    std::optional<std::chrono::duration<double>> wall_time;
    SilenceLimit silence;
  };
  LogOptions log;                    ///< `log.level`
  StopOptions stop;                  ///< `stop.wall_time`, `stop.silence`
  std::optional<std::string> trace;  ///< `trace`: a file name; empty or absent: no timeline
};

/// Adds the keys to `root`, bound to `options`, which must outlive the use of `root`.
void bind_process_options(SectionNode& root, ProcessOptions& options);

}  // namespace cartwright::rt
