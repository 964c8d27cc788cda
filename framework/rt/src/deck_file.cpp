// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck_file.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <filesystem>
#include <iterator>
#include <vector>

namespace cartwright::rt {
namespace {

namespace fs = std::filesystem;

Error deck_error(const std::string& what, const std::string& advice) {
  return input_error(what, advice, Reach::all_ranks);
}

/// The decks in `folder`, at most so many; empty if it can't be read.
std::vector<std::string> decks_in(const fs::path& folder) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> names;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, ignored), end;
       !ignored && entry != end && names.size() < most; entry.increment(ignored)) {
    const auto extension = entry->path().extension();
    if (extension == ".yaml" || extension == ".yml") names.push_back(entry->path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string folder_advice(const fs::path& folder) {
  auto names = decks_in(folder);
  if (names.empty()) return "Name a deck: a YAML file.";
  if (names.size() > 8) names.resize(8);
  return fmt::format("Decks in it: {}.", fmt::join(names, ", "));
}

void require_regular_file(const std::string& path) {
  std::error_code fault;
  const auto status = fs::status(path, fault);
  if (!fs::exists(status)) {
    if (fault && status.type() == fs::file_type::none) {
      throw deck_error(fmt::format("{}: can't be read: {}", path, fault.message()),
                       "Check the path and its permissions.");
    }
    const fs::path wanted(path);
    const auto near = closest(wanted.filename().string(), decks_in(wanted.parent_path()));
    throw deck_error(
        fmt::format("{}: there is no such file", path),
        near ? fmt::format("Did you mean '{}'?", (wanted.parent_path() / *near).string())
             : "Check the path of the deck.");
  }
  if (fs::is_directory(status)) {
    throw deck_error(fmt::format("{}: is a directory, not a deck", path), folder_advice(path));
  }
  if (!fs::is_regular_file(status)) {
    throw deck_error(fmt::format("{}: isn't a regular file", path), "Name a deck: a YAML file.");
  }
}

std::string text_of(const std::string& path) {
  try {
    return read_file(path, largest_deck_bytes + 1, "Check the permissions of the file.");
  } catch (const Error& error) {
    throw deck_error(error.what(), error.advice());
  }
}

Error too_large(const std::string& path, std::size_t bytes) {
  return deck_error(fmt::format("{}: has {:.1f} MiB, but a deck has at most 1 MiB", path,
                                static_cast<double>(bytes) / (1024.0 * 1024.0)),
                    "Is it a deck? Large data belong into HDF5 files that a deck names.");
}

/// The length of the UTF-8 character at `at`, or 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF5   ? 0
                           : first >= 0xF0 ? 4
                           : first >= 0xE0 ? 3
                           : first >= 0xC2 ? 2
                                           : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
  }
  const bool overlong =
      (first == 0xE0 && byte(at + 1) < 0xA0) || (first == 0xF0 && byte(at + 1) < 0x90);
  const bool no_character =
      (first == 0xED && byte(at + 1) > 0x9F) || (first == 0xF4 && byte(at + 1) > 0x8F);
  return overlong || no_character ? 0 : size;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
}

/// What the first bytes of a file that is no deck say about it.
std::string recognised(const std::string& text) {
  if (text.starts_with("\x89HDF")) return "this is an HDF5 file";
  if (text.starts_with("\x7f"
                       "ELF"))
    return "this is a program";
  if (text.starts_with("\x89PNG")) return "this is a PNG picture";
  if (text.starts_with("\x1f\x8b")) return "this file is compressed";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return "this text is UTF-16: save it as UTF-8";
  }
  return {};
}

}  // namespace

std::string read_deck_file(const std::string& path) {
  require_regular_file(path);
  const std::string text = text_of(path);
  std::error_code ignored;
  if (text.size() > largest_deck_bytes) {
    const auto bytes = fs::file_size(path, ignored);
    throw too_large(path, ignored ? text.size() : bytes);
  }
  return text;
}

void require_deck_text(const std::string& text, const std::string& file_name) {
  if (text.size() > largest_deck_bytes) throw too_large(file_name, text.size());
  if (text.empty()) {
    throw deck_error(fmt::format("{}: the file is empty", file_name),
                     "`--deck-reference` lists what a deck can hold.");
  }
  if (const auto what = recognised(text); !what.empty()) {
    throw deck_error(fmt::format("{}: isn't a deck: {}", file_name, what),
                     "Name a deck: a YAML file.");
  }
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = utf8_length(text, at);
    if (size == 0 || is_control(text[at])) {
      throw deck_error(
          fmt::format("{}:{}: byte {} (0x{:02x}) {}", file_name, line, at + 1,
                      static_cast<unsigned char>(text[at]),
                      size == 0 ? "isn't UTF-8 text" : "is a control character, not text"),
          size == 0 ? "Save the deck as UTF-8." : "Is it a binary file? A deck is a YAML file.");
    }
    if (text[at] == '\n') ++line;
    at += size;
  }
}

}  // namespace cartwright::rt
