// SPDX-License-Identifier: Apache-2.0
#include "schema_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/suggestion.hpp>
#include <utility>

#include "deck_paths.hpp"

namespace cartwright::rt {
namespace {

constexpr std::size_t most_suggestions = 100;  // who has more faults doesn't mend them by hand

std::string in_section(const std::string& path) {
  return path.empty() ? "" : fmt::format(" in '{}'", path);
}

void gather_paths(const SectionNode& section, const std::string& path,
                  std::vector<std::string>& paths) {
  for (const KeyNode& key : section.keys) paths.push_back(join_path(path, key.name));
  for (const SectionNode& inner : section.sections) {
    const std::string inner_path = join_path(path, inner.name);
    paths.push_back(inner_path);
    gather_paths(inner, inner_path, paths);
  }
}

std::string last_name(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

std::vector<std::string> names_of(const SectionNode& section) {
  std::vector<std::string> names;
  for (const KeyNode& key : section.keys) names.push_back(key.name);
  for (const SectionNode& inner : section.sections) names.push_back(inner.name);
  return names;
}

}  // namespace

void expand_named_sections(SectionNode& section, const DeckValue& tree) {
  for (const NamedSections& named : section.named) {
    for (const DeckEntry& entry : tree.entries()) {
      const bool taken =
          section.find_section(entry.name) != nullptr || section.find_key(entry.name) != nullptr;
      if (!taken) named.bind(section.add_section(entry.name), entry.name);
    }
  }
  for (SectionNode& inner : section.sections) {
    if (const DeckEntry* entry = tree.find(inner.name)) expand_named_sections(inner, entry->value);
  }
}

SchemaCheck::SchemaCheck(const SectionNode& root, Origin whole_deck, Faults& faults,
                         std::map<std::string, Origin>& origins)
    : root_(root), whole_deck_(std::move(whole_deck)), faults_(faults), origins_(origins) {
  gather_paths(root, {}, all_paths_);
}

void SchemaCheck::run(const DeckValue& tree) {
  if (tree.is_map() || tree.is_nothing()) return check_section(root_, {}, &tree);
  faults_.add(tree.origin(),
              fmt::format("a deck is made of 'key: value' lines, but this is {}", tree.describe()));
}

void SchemaCheck::check_section(const SectionNode& section, const std::string& path,
                                const DeckValue* given) {
  if (given != nullptr && !given->is_map() && !given->is_nothing()) {
    const bool no_space = given->is_scalar() && given->text().find(':') != std::string::npos;
    faults_.add(given->origin(),
                fmt::format("'{}' is {}, but must be a section with keys of its own ({}){}", path,
                            given->describe(), known_names(section),
                            no_space ? ": is a space missing after the colon?" : ""));
    return;
  }
  if (given != nullptr) {
    for (const DeckEntry& entry : given->entries()) check_entry(section, path, entry);
  }
  check_missing(section, path, given);
}

void SchemaCheck::check_entry(const SectionNode& section, const std::string& path,
                              const DeckEntry& entry) {
  const std::string entry_path = join_path(path, entry.name);
  if (const KeyNode* key = section.find_key(entry.name)) {
    origins_[entry_path] = entry.value.origin();
    key->value.read(entry.value, entry_path, faults_);
  } else if (const SectionNode* inner = section.find_section(entry.name)) {
    origins_[entry_path] = entry.origin;
    check_section(*inner, entry_path, &entry.value);
  } else {
    report_unknown(section, path, entry);
  }
}

void SchemaCheck::check_missing(const SectionNode& section, const std::string& path,
                                const DeckValue* given) {
  for (const KeyNode& key : section.keys) {
    if (!key.required || (given != nullptr && given->find(key.name) != nullptr)) continue;
    std::string text = fmt::format("'{}' is missing", join_path(path, key.name));
    if (!key.about.empty()) text += ": " + key.about;
    if (!key.unit.empty()) text += fmt::format(" ({})", key.unit);
    if (!key.example.empty()) {
      text += fmt::format("{} for example {}: {}", key.about.empty() ? ":" : ",", key.name,
                          key.example);
    }
    faults_.add(whole_deck_, text);
  }
  for (const SectionNode& inner : section.sections) {
    const bool visited = given != nullptr && given->find(inner.name) != nullptr;
    if (!visited) check_section(inner, join_path(path, inner.name), nullptr);
  }
}

void SchemaCheck::report_unknown(const SectionNode& section, const std::string& path,
                                 const DeckEntry& entry) {
  const bool no_pair = entry.value.is_nothing() && entry.origin.kind == Origin::Kind::deck &&
                       entry.name.find(' ') != std::string::npos;
  if (no_pair) {
    faults_.add(entry.origin,
                fmt::format("'{}' is no 'key: value' pair: is a colon missing?", entry.name));
    return;
  }
  std::string text = fmt::format("unknown key '{}'{}", entry.name, in_section(path));
  if (faults_.size() < most_suggestions) text += advice(section, path, entry.name);
  faults_.add(entry.origin, text);
}

std::vector<std::string> SchemaCheck::places_of(const std::string& name) const {
  std::vector<std::string> places;
  for (const std::string& path : all_paths_) {
    if (last_name(path) == name) places.push_back(path);
  }
  return places;
}

std::string SchemaCheck::advice(const SectionNode& section, const std::string& path,
                                const std::string& name) const {
  const auto siblings = names_of(section);
  const auto sibling = closest(name, siblings);
  const auto places = places_of(name);
  if (places.size() == 1 && !places.front().starts_with(path + ".")) {
    const std::string& place = places.front();
    const auto dot = place.rfind('.');
    return dot == std::string::npos
               ? fmt::format(": '{}' belongs to the top level, not into a section", name)
               : fmt::format(": '{}' belongs in '{}'", name, place.substr(0, dot));
  }
  if (sibling) return did_you_mean(name, siblings);
  if (!places.empty()) return fmt::format(", did you mean '{}'?", fmt::join(places, "' or '"));
  const std::string whole = join_path(path, name);
  if (std::find(all_paths_.begin(), all_paths_.end(), whole) != all_paths_.end()) {
    const auto dot = name.rfind('.');
    return fmt::format(
        ": write '{}:' inside of the section '{}:' (dots work on the command line only)",
        name.substr(dot + 1), join_path(path, name.substr(0, dot)));
  }
  std::vector<std::string> last_names;
  for (const std::string& known : all_paths_) last_names.push_back(last_name(known));
  if (const auto near = closest(name, last_names)) {
    return fmt::format(", did you mean '{}'?", places_of(*near).front());
  }
  return fmt::format("; {} knows: {}", path.empty() ? "the top level" : fmt::format("'{}'", path),
                     known_names(section));
}

}  // namespace cartwright::rt
