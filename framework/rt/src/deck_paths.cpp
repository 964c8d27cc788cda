// SPDX-License-Identifier: Apache-2.0
#include "deck_paths.hpp"

#include <fmt/format.h>

namespace cartwright::rt {

std::string join_path(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = path.find('.', begin);
    names.push_back(path.substr(begin, end - begin));
    if (names.back().empty()) return {};
  }
  return names;
}

const DeckValue* find_path(const DeckValue& tree, const std::string& path) {
  const DeckValue* value = &tree;
  const auto names = split_path(path);
  for (const std::string& name : names) {
    const DeckEntry* entry = value->find(name);
    if (entry == nullptr) return nullptr;
    value = &entry->value;
  }
  return names.empty() ? nullptr : value;
}

std::string known_names(const SectionNode& section) {
  constexpr std::size_t most = 12;
  std::vector<std::string> names;
  for (const KeyNode& key : section.keys) names.push_back(key.name);
  for (const SectionNode& inner : section.sections) names.push_back(inner.name);
  if (names.empty()) return "nothing";
  const bool cut = names.size() > most;
  if (cut) names.resize(most);
  return fmt::format("{}{}", fmt::join(names, ", "), cut ? ", …" : "");
}

}  // namespace cartwright::rt
