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

/// `/proc/N/stat`: "N (name) S …", the start as field 22; a name may hold spaces and brackets.
std::optional<Entry> entry_of(std::int64_t number) noexcept {
  std::array<char, 64> path{};
  *fmt::format_to_n(path.data(), path.size() - 1, "/proc/{}/stat", number).out = '\0';
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 1024> buffer{};
  const auto length = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  if (length <= 0) return std::nullopt;
  std::string_view text(buffer.data(), static_cast<std::size_t>(length));
  const auto bracket = text.rfind(')');
  if (bracket == std::string_view::npos || bracket + 2 >= text.size()) return std::nullopt;
  text.remove_prefix(bracket + 2);
  Entry entry{.state = text.front()};
  for (int field = 3; field < 22; ++field) {
    const auto space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    text.remove_prefix(space + 1);
  }
  for (const char digit : text.substr(0, text.find(' ')))
    entry.started = entry.started * 10 + static_cast<std::uint64_t>(digit - '0');
  return entry;
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

}  // namespace cartwright::rt
