// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace cartwright::rt {

enum class LogLevel { quiet, normal, verbose };

/// What a run says on standard output. Only rank 0 speaks: on other ranks every call is silent.
/// Text without a line end gets one. Format with fmt::format at the call.
class Log {
 public:
  /// `speaks`: true on rank 0 only. Colours and rewritten lines only on a terminal.
  explicit Log(bool speaks, LogLevel level = LogLevel::normal, std::FILE* out = stdout);

  [[nodiscard]] LogLevel level() const noexcept { return level_; }
  [[nodiscard]] bool speaks() const noexcept { return speaks_; }
  [[nodiscard]] bool on_terminal() const noexcept { return terminal_width_ > 0; }

  void heading(std::string_view text);
  /// An aligned `key  value` line; further lines of the value are aligned, too.
  void entry(std::string_view key, std::string_view value);
  void info(std::string_view text);
  /// Only with level verbose.
  void detail(std::string_view text);
  /// On standard error, even with level quiet: `cartwright: warning: …`.
  void warning(std::string_view text);
  /// What was asked for (results of --check and the like): even with level quiet.
  void answer(std::string_view text);

  /// A line that the next output replaces; nothing happens unless `on_terminal()`.
  void transient(std::string_view text);
  void clear_transient();

 private:
  [[nodiscard]] bool says(LogLevel level) const noexcept { return speaks_ && level_ >= level; }
  void line(std::string_view text);

  bool speaks_;
  LogLevel level_;
  std::FILE* out_;
  int terminal_width_ = 0;  // 0: not a terminal
  bool transient_shown_ = false;
};

}  // namespace cartwright::rt
