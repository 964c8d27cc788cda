// SPDX-License-Identifier: Apache-2.0
#include "process_state.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

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

bool FileWork::is_idle() noexcept {
  Text buffer;
  const auto entry = entry_of(read_text(buffer, "/proc/self/task", thread_, "stat"));
  const auto calls = file_calls_of(thread_);
  const bool runs = entry && entry->state == 'R';
  const bool is_idle = calls && *calls == calls_ && runs && ran_;
  calls_ = calls.value_or(0);
  ran_ = runs;
  return is_idle;
}

}  // namespace cartwright::rt
