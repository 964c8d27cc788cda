// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cartwright/rt/yaml_text.hpp>
#include <utility>

namespace cartwright::rt {
namespace {

constexpr std::size_t longest_excerpt = 48;

/// Cuts at a whole UTF-8 character.
std::string shortened(std::string text) {
  if (text.size() <= longest_excerpt) return text;
  std::size_t size = longest_excerpt;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size) + "…";
}

std::string excerpt(const DeckValue& value) {
  if (value.is_scalar()) return value.is_quoted() ? json_text(value.text()) : value.text();
  if (value.is_map()) return "{…}";
  if (!value.is_list()) return "null";
  std::string text = "[";
  for (const DeckValue& item : value.items()) {
    if (text.size() > longest_excerpt) break;
    text += (text.size() > 1 ? ", " : "") + excerpt(item);
  }
  return text + "]";
}

}  // namespace

DeckValue DeckValue::nothing(Origin origin) {
  DeckValue value;
  value.origin_ = std::move(origin);
  return value;
}

DeckValue DeckValue::scalar(Origin origin, std::string text, bool quoted) {
  DeckValue value;
  value.kind_ = Kind::scalar;
  value.origin_ = std::move(origin);
  value.text_ = std::move(text);
  value.quoted_ = quoted;
  return value;
}

DeckValue DeckValue::list(Origin origin, std::vector<DeckValue> items) {
  DeckValue value;
  value.kind_ = Kind::list;
  value.origin_ = std::move(origin);
  value.items_ = std::move(items);
  return value;
}

DeckValue DeckValue::map(Origin origin, std::vector<DeckEntry> entries) {
  DeckValue value;
  value.kind_ = Kind::map;
  value.origin_ = std::move(origin);
  value.entries_ = std::move(entries);
  return value;
}

const DeckEntry* DeckValue::find(const std::string& name) const noexcept {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const DeckEntry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

DeckEntry* DeckValue::find(const std::string& name) noexcept {
  return const_cast<DeckEntry*>(std::as_const(*this).find(name));
}

DeckEntry& DeckValue::set(DeckEntry entry) {
  if (is_nothing()) kind_ = Kind::map;
  if (DeckEntry* present = find(entry.name)) return *present = std::move(entry);
  return entries_.emplace_back(std::move(entry));
}

std::size_t DeckValue::count() const noexcept {
  std::size_t total = 1;
  for (const DeckValue& item : items_) total += item.count();
  for (const DeckEntry& entry : entries_) total += entry.value.count();
  return total;
}

int DeckValue::depth() const noexcept {
  int deepest = 0;
  for (const DeckValue& item : items_) deepest = std::max(deepest, item.depth());
  for (const DeckEntry& entry : entries_) deepest = std::max(deepest, entry.value.depth());
  return deepest + 1;
}

std::string DeckValue::describe() const {
  switch (kind_) {
    case Kind::nothing:
      return "empty";
    case Kind::map:
      return "a section";
    case Kind::list:
      return "the list " + shortened(excerpt(*this));
    case Kind::scalar:
      break;
  }
  if (quoted_) return "the text " + shortened(json_text(text_));
  const bool bare = parse_number(text_).value || text_ == "true" || text_ == "false";
  return bare ? shortened(text_) : fmt::format("'{}'", shortened(text_));
}

}  // namespace cartwright::rt
