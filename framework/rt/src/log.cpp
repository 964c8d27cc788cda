// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/log.hpp>
#include <cartwright/rt/terminal.hpp>

namespace cartwright::rt {
namespace {

constexpr std::size_t key_width = 16;

void write(std::FILE* out, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out);
}

// What fits `columns`, without cutting a UTF-8 character in two.
std::string_view fitting(std::string_view text, int columns) {
  std::size_t end = 0;
  for (int used = 0; end < text.size(); ++used) {
    if (used == columns) return text.substr(0, end);
    ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  }
  return text;
}

}  // namespace

Log::Log(bool speaks, LogLevel level, std::FILE* out)
    : speaks_(speaks),
      level_(level),
      out_(out),
      terminal_width_(speaks ? terminal_width(out) : 0) {}

void Log::heading(std::string_view text) {
  if (!says(LogLevel::normal)) return;
  line(on_terminal() ? fmt::format("\033[1m{}\033[0m", text) : std::string(text));
}

void Log::entry(std::string_view key, std::string_view value) {
  if (!says(LogLevel::normal)) return;
  std::string_view label = key;
  do {
    const auto end = value.find('\n');
    line(fmt::format("  {:<{}}  {}", label, key_width, value.substr(0, end)));
    value = end == std::string_view::npos ? std::string_view{} : value.substr(end + 1);
    label = {};
  } while (!value.empty());
}

void Log::info(std::string_view text) {
  if (says(LogLevel::normal)) line(text);
}

void Log::detail(std::string_view text) {
  if (says(LogLevel::verbose)) line(text);
}

void Log::warning(std::string_view text) {
  if (!speaks_) return;
  clear_transient();
  std::fflush(out_);
  write(stderr, fmt::format("cartwright: warning: {}\n", text));
  std::fflush(stderr);
}

void Log::answer(std::string_view text) {
  if (speaks_) line(text);
}

void Log::line(std::string_view text) {
  clear_transient();
  write(out_, text);
  if (text.empty() || text.back() != '\n') write(out_, "\n");
  std::fflush(out_);  // a person watches, or a pipe is read while the run goes on
}

void Log::transient(std::string_view text) {
  if (!says(LogLevel::normal) || !on_terminal()) return;
  write(out_, fmt::format("\r{}\033[K", fitting(text, terminal_width_ - 1)));
  std::fflush(out_);
  transient_shown_ = true;
}

void Log::clear_transient() {
  if (!transient_shown_) return;
  write(out_, "\r\033[K");
  std::fflush(out_);
  transient_shown_ = false;
}

}  // namespace cartwright::rt
