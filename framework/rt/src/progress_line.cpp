// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/progress_line.hpp>
#include <chrono>
#include <cmath>
#include <utility>

namespace cartwright::rt {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_rewrites{200};
constexpr double between_plain_lines = 2.0;  // s
constexpr double longest_silence = 600.0;    // s
constexpr double fraction_between_lines = 0.1;

std::string bar(double fraction) {
  constexpr int width = 24;
  const int full = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * width));
  return fmt::format("[{:=<{}}{:{}}]", "", full, "", width - full);
}

}  // namespace

void ProgressLine::begin(ProgressPlan plan) {
  plan_ = std::move(plan);
  step_.store(plan_.first_step, std::memory_order_relaxed);
  running_ = log_.speaks() && log_.level() >= LogLevel::normal;
  started_ = last_plain_ = now();
  next_ = started_ + between_rewrites;
  next_fraction_ = fraction_between_lines;
}

void ProgressLine::end() {
  if (running_) log_.clear_transient();
  running_ = false;
}

void ProgressLine::show(long long step, double time) {
  const Ticks present = now();
  next_ = present + between_rewrites;
  const double fraction = fraction_done(step, time);
  if (log_.on_terminal()) {
    log_.transient(text(step, time, fraction, true));
    return;
  }
  const double silence = seconds_between(last_plain_, present);
  const bool far_enough = fraction >= next_fraction_ && silence >= between_plain_lines;
  if (fraction >= 1.0 || (!far_enough && silence < longest_silence)) return;
  log_.info(text(step, time, fraction, false));
  last_plain_ = present;
  next_fraction_ = (std::floor(fraction / fraction_between_lines) + 1.0) * fraction_between_lines;
}

double ProgressLine::fraction_done(long long step, double time) const {
  if (plan_.standing) return plan_.standing().fraction;
  double fraction = 0.0;
  if (plan_.last_step > plan_.first_step) {
    fraction = static_cast<double>(step - plan_.first_step) /
               static_cast<double>(plan_.last_step - plan_.first_step);
  }
  if (plan_.last_time > plan_.first_time) {  // whichever end comes first
    fraction = std::max(fraction, (time - plan_.first_time) / (plan_.last_time - plan_.first_time));
  }
  return std::clamp(fraction, 0.0, 1.0);
}

std::string ProgressLine::text(long long step, double time, double fraction, bool with_bar) const {
  const double elapsed = std::max(seconds_between(started_, now()), 1e-9);
  const double steps_per_second = static_cast<double>(step - plan_.first_step) / elapsed;
  std::string line = with_bar ? bar(fraction) + " " : std::string();
  if (fraction > 0.0) line += fmt::format("{:3.0f} %  ", std::floor(100.0 * fraction));
  line += fmt::format("{} {}", plan_.step_name, step);
  if (plan_.last_step >= 0) line += fmt::format("/{}", plan_.last_step);
  line += plan_.standing ? "  " + plan_.standing().text
                         : fmt::format("  t = {:.4g} {}", time, plan_.time_unit);
  if (plan_.work_per_step > 0.0) {
    line +=
        fmt::format("  {}{}/s", rate_text(steps_per_second * plan_.work_per_step), plan_.work_unit);
  } else {
    line += fmt::format("  {}{}s/s", rate_text(steps_per_second), plan_.step_name);
  }
  if (fraction > 0.0) {
    line += fmt::format("  {} left", duration_text(elapsed * (1.0 - fraction) / fraction));
  }
  return line;
}

std::string ProgressLine::duration_text(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const auto minutes = std::llround(seconds / 60.0);
  if (minutes < 24LL * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  const auto hours = std::llround(seconds / 3600.0);
  return fmt::format("{} d {:02} h", hours / 24, hours % 24);
}

std::string ProgressLine::rate_text(double value) {
  constexpr std::array<const char*, 5> prefixes{"", "k", "M", "G", "T"};
  std::size_t power = 0;
  while (std::abs(value) >= 999.5 && power + 1 < prefixes.size()) {
    value /= 1000.0;
    ++power;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, prefixes[power]);
}

}  // namespace cartwright::rt
