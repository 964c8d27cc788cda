// SPDX-License-Identifier: Apache-2.0
#include "process_state.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace cartwright::rt {
namespace {

struct Entry {
  char state = '?';
  std::uint64_t started = 0;
};

using Text = std::array<char, 1024>;

/// What stands in the file FOLDER/NUMBER/NAME of /proc; nothing: it can't be read.
std::string_view read_text(Text& buffer, std::string_view folder, std::int64_t number,
                           std::string_view name) noexcept {
  std::array<char, 64> path{};
  *fmt::format_to_n(path.data(), path.size() - 1, "{}/{}/{}", folder, number, name).out = '\0';
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const auto length = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  return {buffer.data(), static_cast<std::size_t>(length > 0 ? length : 0)};
}

std::uint64_t number_at(std::string_view text) noexcept {
  std::uint64_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') break;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return number;
}

/// `/proc/N/stat`: "N (name) S …", the start as field 22; a name may hold spaces and brackets.
std::optional<Entry> entry_of(std::string_view text) noexcept {
  const auto bracket = text.rfind(')');
  if (bracket == std::string_view::npos || bracket + 2 >= text.size()) return std::nullopt;
  text.remove_prefix(bracket + 2);
  Entry entry{.state = text.front()};
  for (int field = 3; field < 22; ++field) {
    const auto space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    text.remove_prefix(space + 1);
  }
  entry.started = number_at(text);
  return entry;
}

std::optional<Entry> entry_of(std::int64_t number) noexcept {
  Text buffer;
  return entry_of(read_text(buffer, "/proc", number, "stat"));
}

/// Of "rchar: N", "wchar: N", "syscr: N", "syscw: N"; nothing: they aren't told.
std::optional<std::uint64_t> file_calls_of(int thread) noexcept {
  Text buffer;
  const std::string_view text = read_text(buffer, "/proc/self/task", thread, "io");
  std::uint64_t sum = 0;
  for (const std::string_view key : {"rchar: ", "wchar: ", "syscr: ", "syscw: "}) {
    const auto at = text.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    sum += number_at(text.substr(at + key.size()));
  }
  return sum;
}

/// Nanoseconds that a thread has run, as far as counted; nothing: it isn't told.
std::optional<std::uint64_t> run_time_of(int thread) noexcept {
  Text buffer;
  const std::string_view text = read_text(buffer, "/proc/self/task", thread, "schedstat");
  if (text.empty()) return std::nullopt;
  return number_at(text);
}

/// Whether a thread that sleeps in the system does so for a time, or for messages: as ranks do that
/// leave a shared core to others while they wait.
bool waits_for_no_file(int thread) noexcept {
  constexpr std::array waits{
      SYS_nanosleep, SYS_clock_nanosleep, SYS_futex,       SYS_sched_yield,
      SYS_ppoll,     SYS_pselect6,        SYS_epoll_pwait,
#ifdef SYS_poll
      SYS_poll,      SYS_select,          SYS_epoll_wait,
#endif
  };
  Text buffer;
  const std::string_view text = read_text(buffer, "/proc/self/task", thread, "syscall");
  if (text.starts_with("running")) return true;  // by now
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  return std::ranges::find(waits, static_cast<long>(number_at(text))) != waits.end();
}

}  // namespace

ProcessMark this_process() noexcept {
  const std::int64_t number = ::getpid();
  const auto entry = entry_of(number);
  return {number, entry ? entry->started : 0};
}

bool is_visible(const ProcessMark& process) noexcept {
  const auto entry = entry_of(process.number);
  return entry && entry->started == process.started;
}

ProcessState state_of(const ProcessMark& process) noexcept {
  const auto entry = entry_of(process.number);
  if (!entry || entry->started != process.started) return ProcessState::gone;
  switch (entry->state) {
    case 'T':
      return ProcessState::stopped;
    case 't':
      return ProcessState::traced;
    case 'Z':
    case 'X':
      return ProcessState::gone;
    default:
      return ProcessState::runs;
  }
}

FileWork::FileWork() noexcept : thread_(::gettid()) {}

// One that sleeps all the time is as in a slow file.
bool FileWork::is_idle() noexcept {
  Text buffer;
  const auto entry = entry_of(read_text(buffer, "/proc/self/task", thread_, "stat"));
  const auto calls = file_calls_of(thread_);
  const auto run_time = run_time_of(thread_);
  const bool has_run = run_time && *run_time != run_time_;
  const bool naps = entry && entry->state == 'S' && has_run && waits_for_no_file(thread_);
  const bool waits = naps || (entry && entry->state == 'R');
  const bool is_idle = calls && *calls == calls_ && waits && waited_;
  calls_ = calls.value_or(0);
  run_time_ = run_time.value_or(0);
  waited_ = waits;
  return is_idle;
}

}  // namespace cartwright::rt
