// SPDX-License-Identifier: Apache-2.0
#include "speaker.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <concepts>
#include <cstdlib>
#include <thread>

namespace cartwright::rt {
namespace {

// Words of the file, each at the beginning of a line, with the name of the process after it.
constexpr std::string_view speaks = "speaks ";
constexpr std::string_view failed = "failed ";
constexpr std::string_view ended = "ended ";
constexpr std::string_view finished = "finished ";

/// Adds what fits; the last character stays zero.
template <std::size_t Size>
void append(std::array<char, Size>& text, std::size_t& size, std::string_view more) noexcept {
  const std::size_t fits = std::min(more.size(), text.size() - 1 - size);
  std::copy_n(more.begin(), fits, text.begin() + static_cast<std::ptrdiff_t>(size));
  size += fits;
}

template <std::size_t Size>
void append_number(std::array<char, Size>& text, std::size_t& size, std::uint64_t number) noexcept {
  std::array<char, 20> digits{};
  std::size_t begin = digits.size();
  do {
    digits[--begin] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  append(text, size, {digits.data() + begin, digits.size() - begin});
}

std::string_view variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Calls `look(line)` for the lines of a file until it returns true; false if it never does.
bool any_line(int file, const std::predicate<std::string_view> auto& look) noexcept {
  std::array<char, 4096> buffer{};
  std::size_t held = 0;
  off_t at = 0;
  for (;;) {
    const ssize_t got = ::pread(file, buffer.data() + held, buffer.size() - held, at);
    if (got <= 0) return false;
    at += got;
    std::string_view text(buffer.data(), held + static_cast<std::size_t>(got));
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      if (look(text.substr(0, end))) return true;
      text.remove_prefix(end + 1);
    }
    if (text.size() == buffer.size()) text = {};  // no line of ours
    held = text.size();
    std::copy(text.begin(), text.end(), buffer.begin());
  }
}

}  // namespace

Speaker::Speaker() noexcept {
  name_node();
  std::size_t size = 0;
  append(path_, size, variable("CARTWRIGHT_VERDICT"));
  is_the_launchers_ = size > 0 && ::access(path_.data(), R_OK | W_OK) == 0;
  if (is_the_launchers_) return;
  path_ = {};
  size = 0;
  const auto folder = variable("PMIX_SERVER_TMPDIR");
  const auto job = variable("PMIX_NAMESPACE");
  if (folder.empty() || job.empty()) return;
  append(path_, size, folder);
  append(path_, size, "/cartwright-");
  const std::size_t begin = size;
  append(path_, size, job);
  // Its port tells a job from an earlier one, whose mpirun had the same number and was killed.
  append(path_, size, variable("PMIX_SERVER_URI4"));
  std::replace_if(
      path_.begin() + static_cast<std::ptrdiff_t>(begin),
      path_.begin() + static_cast<std::ptrdiff_t>(size), [](char c) { return c == '/'; }, '-');
}

void Speaker::name_node() noexcept {
  std::array<char, 100> node{};
  ::gethostname(node.data(), node.size() - 1);
  std::size_t size = 0;
  append(name_, size, node.data());
  append(name_, size, "/");
  node_size_ = size;
  append_number(name_, size, static_cast<std::uint64_t>(::getpid()));
}

/// A file of this user; the launcher has made its own.
int Speaker::open_file() const noexcept {
  if (path_.front() == '\0') return -1;
  const int flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | (is_the_launchers_ ? 0 : O_CREAT);
  const int file = ::open(path_.data(), flags, S_IRUSR | S_IWUSR);
  if (file < 0) return -1;
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid())
    return file;
  ::close(file);
  return -1;
}

Speaker::Turn Speaker::claim() const noexcept {
  const int file = open_file();
  if (file < 0) return Turn::unknown;
  Turn turn = Turn::unknown;
  if (write_line(file, speaks, {})) {
    any_line(file, [&](std::string_view line) {
      if (!line.starts_with(speaks)) return false;
      line.remove_prefix(speaks.size());
      if (!line.starts_with(name().substr(0, node_size_))) return false;
      turn = line == name() ? Turn::mine : Turn::of_others;
      return true;
    });
  }
  ::close(file);
  return turn;
}

/// At once, so that lines of several processes don't mix.
bool Speaker::write_line(int file, std::string_view word, std::string_view more) const noexcept {
  std::array<char, 256> line{};
  std::size_t size = 0;
  append(line, size, word);
  append(line, size, name());
  append(line, size, more);
  append(line, size, "\n");
  return ::write(file, line.data(), size) == static_cast<ssize_t>(size);
}

void Speaker::note(std::string_view word, std::string_view more) const noexcept {
  const int file = open_file();
  if (file < 0) return;
  (void)write_line(file, word, more);
  ::close(file);
}

void Speaker::note_finished() const noexcept {
  if (is_the_launchers_) note(finished, {});
}

void Speaker::note_ended() const noexcept {
  note(ended, {});
}

void Speaker::note_failed(int code) const noexcept {
  const std::array<char, 2> text{' ', static_cast<char>('0' + code)};
  note(failed, {text.data(), text.size()});
}

void Speaker::await_failed() const noexcept {
  await_failed(name().substr(0, node_size_));
}

bool Speaker::mpirun_node_speaks() const noexcept {
  const auto node = variable("CARTWRIGHT_MPIRUN_NODE");
  if (!is_the_launchers_ || node.empty()) return false;
  std::array<char, 128> other{};
  std::size_t size = 0;
  append(other, size, node);
  append(other, size, "/");
  const std::string_view prefix(other.data(), size);
  if (name().starts_with(prefix)) return false;
  await_failed(prefix);
  return has_failed(prefix);
}

void Speaker::await_failed(std::string_view node) const noexcept {
  constexpr std::chrono::milliseconds turn{20};
  constexpr int turns = 100;
  for (int i = 0; i < turns && !has_failed(node); ++i) std::this_thread::sleep_for(turn);
  std::this_thread::sleep_for(5 * turn);  // its exit code is to come first
}

bool Speaker::has_failed(std::string_view node) const noexcept {
  const int file = open_file();
  if (file < 0) return true;
  const bool has = any_line(file, [&](std::string_view line) {
    const std::string_view word = line.starts_with(failed) ? failed : ended;
    if (!line.starts_with(word)) return false;
    return line.substr(word.size()).starts_with(node);
  });
  ::close(file);
  return has;
}

}  // namespace cartwright::rt
