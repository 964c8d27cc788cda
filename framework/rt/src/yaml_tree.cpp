// SPDX-License-Identifier: Apache-2.0
#include "yaml_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/error.hpp>
#include <utility>

namespace cartwright::rt {
namespace {

constexpr std::size_t most_values = 200'000;
constexpr std::size_t most_keys = 10'000;  // in one map
constexpr int deepest = 64;

/// Tags that YAML itself gives: "?" to plain scalars, "!" to quoted ones, the rest written out.
bool is_known_tag(const std::string& tag) {
  constexpr std::string_view standard = "tag:yaml.org,2002:";
  constexpr std::array<std::string_view, 7> known{"str",  "int", "float", "bool",
                                                  "null", "seq", "map"};
  if (tag.empty() || tag == "?" || tag == "!") return true;
  if (!tag.starts_with(standard)) return false;
  return std::find(known.begin(), known.end(), tag.substr(standard.size())) != known.end();
}

/// From 1. yaml-cpp counts bytes; people count characters.
int column_in_characters(std::string_view text, const YAML::Mark& mark) {
  constexpr int longest_line = 1000;  // counting must not become quadratic
  const auto end = static_cast<std::size_t>(mark.pos);
  const auto size = static_cast<std::size_t>(mark.column);
  if (mark.pos < mark.column || mark.column > longest_line || end > text.size())
    return mark.column + 1;
  const auto line = text.substr(end - size, size);
  const auto inner = std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  });
  return mark.column + 1 - static_cast<int>(inner);
}

bool makes_text(const std::string& tag) {
  return tag == "!" || tag == "tag:yaml.org,2002:str";
}

}  // namespace

Origin YamlTree::origin(const YAML::Mark& mark) const {
  Origin place = base_;
  if (place.kind == Origin::Kind::deck && !mark.is_null()) {
    place.line = mark.line + 1;
    place.column = column_in_characters(text_, mark);
  }
  return place;
}

void YamlTree::count(const YAML::Mark& mark, std::size_t values) {
  values_ += values;
  if (values_ > most_values) {
    throw YamlLimit{mark, fmt::format("more than {} values, aliases (*name) counted as what they "
                                      "stand for: this is no deck",
                                      most_values)};
  }
}

void YamlTree::OnDocumentStart(const YAML::Mark& mark) {
  if (!root_) return;
  const auto begin = std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
  const bool divided = text_.rfind("\n---", begin) != std::string_view::npos;
  throw YamlLimit{mark, divided
                            ? "a second document ('---') begins here, but a deck is one document"
                            : "this line doesn't go together with what stands above it: "
                              "a deck is 'key: value' lines"};
}

void YamlTree::require_closing_quote(const YAML::Mark& mark) const {
  auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
  while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {  // anchor or tag
    at = std::min(text_.find_first_of(" \n", at), text_.size());
    at = std::min(text_.find_first_not_of(" \r\n", at), text_.size());
  }
  if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;
  const char quote = text_[at];
  for (++at; at < text_.size(); ++at) {
    const bool doubled = quote == '\'' && text_[at] == quote && text_.substr(at + 1, 1) == "'";
    if (doubled || (quote == '"' && text_[at] == '\\')) {
      ++at;
    } else if (text_[at] == quote) {
      return;
    }
  }
  throw YamlLimit{mark, fmt::format("the quote {} that begins here is never closed", quote)};
}

void YamlTree::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  count(mark, 1);
  close(DeckValue::nothing(origin(mark)), anchor);
}

void YamlTree::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                        const std::string& text) {
  count(mark, 1);
  if (makes_text(tag)) require_closing_quote(mark);
  if (!is_known_tag(tag)) {
    faults_.add(origin(mark), fmt::format("the tag '{}' means nothing in a deck: remove it", tag));
  }
  const bool is_null = tag == "tag:yaml.org,2002:null";
  close(is_null ? DeckValue::nothing(origin(mark))
                : DeckValue::scalar(origin(mark), text, makes_text(tag)),
        anchor);
}

void YamlTree::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto target = anchors_.find(anchor);
  if (target == anchors_.end()) throw YamlLimit{mark, "this alias (*name) contains itself"};
  count(mark, target->second.count());
  if (static_cast<int>(open_.size()) + target->second.depth() > deepest) {
    throw YamlLimit{mark, fmt::format("more than {} levels of nesting: this is no deck", deepest)};
  }
  receive(target->second);
}

void YamlTree::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                               YAML::anchor_t anchor, YAML::EmitterStyle::value /*style*/) {
  open(mark, tag, anchor, false);
}

void YamlTree::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                          YAML::EmitterStyle::value /*style*/) {
  open(mark, tag, anchor, true);
}

void YamlTree::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    bool is_map) {
  count(mark, 1);
  if (!is_known_tag(tag)) {
    faults_.add(origin(mark), fmt::format("the tag '{}' means nothing in a deck: remove it", tag));
  }
  if (static_cast<int>(open_.size()) >= deepest) {
    throw YamlLimit{mark, fmt::format("more than {} levels of nesting: this is no deck", deepest)};
  }
  Open& opened = open_.emplace_back();
  opened.is_map = is_map;
  opened.origin = origin(mark);
  opened.anchor = anchor;
}

void YamlTree::OnSequenceEnd() {
  Open done = std::move(open_.back());
  open_.pop_back();
  close(DeckValue::list(std::move(done.origin), std::move(done.items)), done.anchor);
}

void YamlTree::OnMapEnd() {
  Open done = std::move(open_.back());
  open_.pop_back();
  DeckValue value = DeckValue::map(std::move(done.origin), std::move(done.entries));
  for (const DeckValue& source : done.merged) {
    for (const DeckEntry& entry : source.entries()) {
      if (value.find(entry.name) == nullptr) value.set(entry);
    }
  }
  close(std::move(value), done.anchor);
}

void YamlTree::close(DeckValue value, YAML::anchor_t anchor) {
  if (anchor != 0) anchors_[anchor] = value;
  receive(std::move(value));
}

void YamlTree::receive(DeckValue value) {
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (Open& top = open_.back(); !top.is_map) {
    top.items.push_back(std::move(value));
  } else if (top.key || top.drop_value) {
    receive_entry(top, std::move(value));
  } else {
    receive_key(top, value);
  }
}

void YamlTree::receive_key(Open& map, const DeckValue& key) {
  if (!key.is_scalar() || key.text().empty()) {
    faults_.add(key.origin(),
                fmt::format("{} stands where the name of a key should be", key.describe()));
    map.drop_value = true;
    return;
  }
  const auto present =
      std::find_if(map.entries.begin(), map.entries.end(),
                   [&](const DeckEntry& entry) { return entry.name == key.text(); });
  if (present != map.entries.end()) {
    const Origin& first = present->origin;
    const std::string where = first.line > 0 ? fmt::format(", first in line {}", first.line) : "";
    faults_.add(key.origin(), fmt::format("'{}' is given twice{}: remove one", key.text(), where));
    map.drop_value = true;
    return;
  }
  map.key = DeckEntry{key.text(), key.origin(), {}};
}

void YamlTree::receive_entry(Open& map, DeckValue value) {
  const bool dropped = std::exchange(map.drop_value, false);
  if (dropped) return;
  DeckEntry entry = std::move(*std::exchange(map.key, std::nullopt));
  if (entry.name == "<<") return receive_merge(map, entry, value);
  entry.value = value.is_nothing() ? DeckValue::nothing(entry.origin) : std::move(value);
  map.entries.push_back(std::move(entry));
  if (map.entries.size() > most_keys) {
    throw YamlLimit{YAML::Mark::null_mark(),
                    fmt::format("more than {} keys in one section: this is no deck", most_keys)};
  }
}

void YamlTree::receive_merge(Open& map, const DeckEntry& key, const DeckValue& value) {
  const std::vector<DeckValue> sources =
      value.is_list() ? value.items() : std::vector<DeckValue>{value};
  for (const DeckValue& source : sources) {
    if (source.is_map()) {
      map.merged.push_back(source);
    } else {
      faults_.add(key.origin,
                  fmt::format("'<<' merges sections, but this is {}", source.describe()));
    }
  }
}

}  // namespace cartwright::rt
