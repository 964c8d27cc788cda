// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/yaml_text.hpp>

namespace cartwright::rt {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view more = "_0123456789./+-*^() ";

/// Words that some YAML version reads as a truth value, nothing or a number.
bool has_meaning(std::string_view text) {
  constexpr std::array<std::string_view, 13> words{
      "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity", ""};
  std::string lower;
  for (const char c : text) lower += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(words.begin(), words.end(), lower) != words.end();
}

bool is_plain(std::string_view text) {
  if (text.empty() || text.back() == ' ' || has_meaning(text)) return false;
  const bool good_start = letters.find(text.front()) != std::string_view::npos ||
                          (text.front() == '/' && text.size() > 1);
  return good_start && std::all_of(text.begin(), text.end(), [](char c) {
           return letters.find(c) != std::string_view::npos ||
                  more.find(c) != std::string_view::npos;
         });
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string yaml_text(std::string_view text) {
  return is_plain(text) ? std::string(text) : json_text(text);
}

}  // namespace cartwright::rt
