// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/yaml_text.hpp>

#include "deck_paths.hpp"

namespace cartwright::rt {
namespace {

struct Line {
  std::string text, source;
};

/// Characters, not bytes, so that comments stand in one column.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void list_section(const Deck& deck, const SectionNode& section, const std::string& path, int depth,
                  std::vector<Line>& lines) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  for (const KeyNode& key : section.keys) {
    const std::string value = key.value.show();
    const Origin origin = deck.origin(join_path(path, key.name));
    const bool absent = value.empty();
    lines.push_back({fmt::format("{}{}{}: {}", indent, absent ? "# " : "", key.name,
                                 absent ? "not set" : value),
                     absent && origin.kind == Origin::Kind::standard ? "" : origin.source()});
  }
  for (const SectionNode& inner : section.sections) {
    if (inner.keys.empty() && inner.sections.empty()) continue;
    lines.push_back({fmt::format("{}{}:", indent, yaml_text(inner.name)), ""});
    list_section(deck, inner, join_path(path, inner.name), depth + 1, lines);
  }
}

}  // namespace

std::string Deck::effective_configuration(const SectionNode& root) const {
  constexpr std::size_t widest = 56;  // longer lines push their comment out
  std::vector<Line> lines;
  list_section(*this, root, {}, 0, lines);
  std::size_t column = 0;
  for (const Line& line : lines) {
    if (!line.source.empty() && width(line.text) <= widest)
      column = std::max(column, width(line.text));
  }
  std::string text =
      file_name_.empty() ? "" : fmt::format("# effective configuration of {}\n", file_name_);
  for (const Line& line : lines) {
    text += line.text;
    if (!line.source.empty()) {
      const std::size_t used = std::min(width(line.text), column);
      text += fmt::format("{}# {}", std::string(column - used + 2, ' '), line.source);
    }
    text += '\n';
  }
  return text;
}

}  // namespace cartwright::rt
