// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/ticks.hpp>
#include <functional>
#include <string>

namespace cartwright::rt {

/// Where a run stands whose end isn't a step or a time: for instance, how small a residual is.
struct Standing {
  double fraction = 0.0;  ///< done
  std::string text;
};

/// What a run of steps will be; what is not known stays at its default.
struct ProgressPlan {
  long long first_step = 0;
  long long last_step = -1;  ///< negative: not known
  double first_time = 0.0;   ///< simulated
  double last_time = 0.0;    ///< simulated; not later than first_time: not known
  std::string time_unit = "s";
  std::string step_name = "step";
  std::function<Standing()> standing = {};  ///< instead of the time; asked when a line is due
  double work_per_step = 0.0;  ///< for instance cells of the whole grid; 0: steps are counted
  std::string work_unit = "cells";
};

/// Where a run stands. On a terminal: one line, rewritten at most 5 times a second; otherwise plain
/// lines about every 10 %, at most one in 2 s. Every rank calls it, rank 0 speaks.
class ProgressLine {
 public:
  explicit ProgressLine(Log& log) : log_(log) {}

  void begin(ProgressPlan plan);
  /// After each step: `step` steps are done, simulated time is `time`. Costs one clock read.
  void update(long long step, double time) {
    step_.store(step, std::memory_order_relaxed);
    if (running_ && now() >= next_) show(step, time);
  }
  /// Removes the line from the terminal.
  void end();

  [[nodiscard]] const std::atomic<long long>& step() const noexcept { return step_; }
  /// `1.25 s`, `3 min 20 s`, `2 h 05 min`.
  [[nodiscard]] static std::string duration_text(double seconds);
  /// Two or three digits with a prefix: `12.3 M`.
  [[nodiscard]] static std::string rate_text(double value);

 private:
  void show(long long step, double time);
  [[nodiscard]] double fraction_done(long long step, double time) const;
  [[nodiscard]] std::string text(long long step, double time, double fraction, bool with_bar) const;

  Log& log_;
  ProgressPlan plan_;
  std::atomic<long long> step_{-1};
  bool running_ = false;
  Ticks started_{}, next_{}, last_plain_{};
  double next_fraction_ = 0.1;
};

}  // namespace cartwright::rt
