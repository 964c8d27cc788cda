// SPDX-License-Identifier: Apache-2.0
#include "yaml_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace cartwright::rt {
namespace {

using Lines = std::vector<std::string_view>;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// Nothing but spaces or a comment.
bool is_blank(std::string_view line) {
  const auto start = indentation(line);
  return start == line.size() || line[start] == '#';
}

/// "steps:10" at the start of a line: where the colon is.
std::optional<std::size_t> colon_without_space(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon + 1 >= line.size()) return std::nullopt;
  const auto name = line.substr(indentation(line), colon - indentation(line));
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!is_name || line[colon + 1] == ' ' || line[colon + 1] == '\t') return std::nullopt;
  return colon;
}

/// An open bracket and its place, from 0.
struct Bracket {
  char kind;
  int line, column;
};

/// The innermost [ or { that is still open where the error was met. Quotes and comments are
/// skipped.
std::optional<Bracket> open_bracket(const Lines& lines, int last_line) {
  std::vector<Bracket> open;
  char quote = 0;
  for (int l = 0; l < static_cast<int>(lines.size()) && l <= last_line; ++l) {
    const std::string_view line = lines[static_cast<std::size_t>(l)];
    for (std::size_t c = 0; c < line.size(); ++c) {
      const char sign = line[c];
      const bool at_word_start =
          c == 0 || std::string_view(" \t[{,:").find(line[c - 1]) != std::string_view::npos;
      if (quote != 0) {
        if (sign == '\\' && quote == '"') ++c;
        if (sign == quote) quote = 0;
      } else if ((sign == '"' || sign == '\'') && at_word_start) {
        quote = sign;
      } else if (sign == '#' && at_word_start) {
        break;
      } else if (sign == '[' || sign == '{') {
        if (at_word_start) open.push_back({sign, l, static_cast<int>(c)});
      } else if ((sign == ']' || sign == '}') && !open.empty()) {
        if ((open.back().kind == '[') != (sign == ']')) return open.back();
        open.pop_back();
      }
    }
  }
  if (open.empty()) return std::nullopt;
  return open.back();
}

/// The trouble that can be seen in the line of the error.
std::optional<SyntaxFault> trouble_in_line(const Lines& lines, int line, int column) {
  if (line < 0 || line >= static_cast<int>(lines.size())) return std::nullopt;
  const std::string_view text = lines[static_cast<std::size_t>(line)];
  const auto tab = text.substr(0, indentation(text)).find('\t');
  if (tab != std::string_view::npos) {
    return SyntaxFault{line + 1, static_cast<int>(tab) + 1,
                       "a tab indents this line, but YAML wants spaces"};
  }
  const auto before =
      text.substr(0, std::min(static_cast<std::size_t>(std::max(column, 0)), text.size()));
  const auto last = before.find_last_not_of(' ');
  if (last != std::string_view::npos && last > 0 && (before[last] == '\'' || before[last] == '"')) {
    return SyntaxFault{line + 1, column + 1,
                       "text follows a closing quote; inside of '…' a quote is written ''"};
  }
  if (const auto colon = colon_without_space(text)) {
    return SyntaxFault{line + 1, static_cast<int>(*colon) + 2,
                       "a space is missing after the colon"};
  }
  return std::nullopt;
}

/// The trouble that begins in the last line with content above the error.
std::optional<SyntaxFault> trouble_above(const Lines& lines, int line) {
  int above = std::min(line, static_cast<int>(lines.size())) - 1;
  while (above >= 0 && is_blank(lines[static_cast<std::size_t>(above)])) --above;
  if (above < 0) return std::nullopt;
  const std::string_view text = lines[static_cast<std::size_t>(above)];
  if (const auto colon = colon_without_space(text)) {
    return SyntaxFault{above + 1, static_cast<int>(*colon) + 2,
                       "a space is missing after the colon"};
  }
  if (text.find(':') == std::string_view::npos &&
      text.find_first_of("-]},") == std::string_view::npos) {
    return SyntaxFault{above + 1, static_cast<int>(indentation(text)) + 1,
                       "this line is no 'key: value' pair: is a colon missing?"};
  }
  return std::nullopt;
}

std::string about_indentation(const Lines& lines, int line, int column) {
  if (line < 0 || line >= static_cast<int>(lines.size())) return "the text ends too early";
  const std::string_view text = lines[static_cast<std::size_t>(line)];
  if (const auto first = text.find(": ");
      first != std::string_view::npos && static_cast<int>(first) < column) {
    return "a second ': ' stands in this line: put the text into quotes";
  }
  int above = line - 1;
  while (above >= 0 && is_blank(lines[static_cast<std::size_t>(above)])) --above;
  if (above >= 0 && indentation(text) > indentation(lines[static_cast<std::size_t>(above)])) {
    return "this line is indented deeper than the one above, which has a value already";
  }
  return "the indentation of this line fits no line above it";
}

/// yaml-cpp's words and ours.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> plain_words{{
    {"illegal flow end", "this closing bracket has no opening one"},
    {"unknown token", "this character can't begin a value: put the text into quotes"},
    {"unknown escape character", R"(unknown escape after '\': write '\\', or use single quotes)"},
    {"the referenced anchor is not defined",
     "no anchor (&name) of that name stands above this alias"},
    {"illegal EOF in scalar", "a quote that is never closed"},
    {"illegal document indicator in scalar", "a quote that is never closed"},
    {"invalid unicode", "this escape stands for no character"},
    {"bad character found while scanning hex", "this escape needs hexadecimal digits"},
    {"cannot assign multiple", "a value can have one anchor and one tag only"},
    {"alias not found after *", "a name is missing after '*': put the text into quotes"},
    {"anchor not found after &", "a name is missing after '&': put the text into quotes"},
    {"YAML major version too large", "this version of YAML isn't known: remove the line"},
    {"illegal block entry", "a list item (-) can't stand here: use [a, b, c]"},
    {"illegal tab", "a tab indents this line, but YAML wants spaces"},
}};

}  // namespace

SyntaxFault explain_syntax(const YAML::Exception& error, const std::string& text) {
  const Lines lines = split_lines(text);
  const int line = std::max(error.mark.line, 0), column = std::max(error.mark.column, 0);
  const std::string_view said = error.msg;
  if (said.find("flow not found") != std::string_view::npos || said == "illegal flow end") {
    if (const auto bracket = open_bracket(lines, line)) {
      return {
          bracket->line + 1, bracket->column + 1,
          fmt::format("this '{}' is never closed, or a comma is missing after it", bracket->kind)};
    }
  }
  if (auto found = trouble_in_line(lines, line, column)) return *found;
  for (const auto& [theirs, ours] : plain_words) {
    if (said.starts_with(theirs)) return {line + 1, column + 1, std::string(ours)};
  }
  if (auto found = trouble_above(lines, line)) return *found;
  const bool misplaced = said.starts_with("illegal map") || said.starts_with("end of ");
  return {line + 1, column + 1,
          misplaced ? about_indentation(lines, line, column)
                    : fmt::format("this is no YAML: {}", said)};
}

}  // namespace cartwright::rt
