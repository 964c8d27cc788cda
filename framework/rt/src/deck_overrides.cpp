// SPDX-License-Identifier: Apache-2.0
#include "deck_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/deck_parser.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <utility>

#include "deck_paths.hpp"

namespace cartwright::rt {
namespace {

constexpr std::string_view prefix = "CARTWRIGHT_";

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Puts `value` at `path`; sections are merged, everything else is replaced.
void put(DeckValue& into, std::span<const std::string> path, DeckValue value,
         const std::string& whole_path, Faults& faults) {
  const Origin origin = value.origin();
  if (!into.is_map() && !into.is_nothing()) {
    faults.add(origin, fmt::format("'{}' can't be set: it would lie in {} ({})", whole_path,
                                   into.describe(), into.origin().place()));
    return;
  }
  DeckEntry* entry = into.find(path.front());
  if (entry == nullptr) entry = &into.set({path.front(), origin, DeckValue::nothing(origin)});
  if (path.size() > 1)
    return put(entry->value, path.subspan(1), std::move(value), whole_path, faults);
  if (value.is_map() && entry->value.is_map()) {
    for (const DeckEntry& inner : value.entries()) {
      const std::vector<std::string> name{inner.name};
      put(entry->value, name, inner.value, whole_path + "." + inner.name, faults);
    }
  } else {
    *entry = {path.front(), origin, std::move(value)};
  }
}

struct Variable {
  std::string name, path;
};

void gather_variables(const SectionNode& section, const std::string& path,
                      std::vector<Variable>& variables) {
  for (const KeyNode& key : section.keys) {
    const std::string key_path = join_path(path, key.name);
    variables.push_back({environment_name(key_path), key_path});
  }
  for (const SectionNode& inner : section.sections) {
    gather_variables(inner, join_path(path, inner.name), variables);
  }
}

/// A variable that names no key: a fault only if it looks as if it should.
void judge_stranger(const std::string& name, const std::vector<Variable>& variables,
                    const SectionNode& root, Faults& faults) {
  const Origin origin{Origin::Kind::environment, name, 0, 0};
  const std::string bare = name.substr(prefix.size());
  for (const Variable& variable : variables) {
    const std::string known = variable.name.substr(prefix.size());
    const int tolerated = std::max(1, static_cast<int>(known.size()) / 5);
    if (edit_distance(bare, known) > tolerated) continue;
    faults.add(origin, fmt::format("sets no key, did you mean {} (for '{}')?", variable.name,
                                   variable.path));
    return;
  }
  for (const SectionNode& section : root.sections) {
    const std::string section_name = environment_name(section.name) + "_";
    if (!name.starts_with(section_name)) continue;
    faults.add(origin,
               fmt::format("sets no key; '{}' knows: {}", section.name, known_names(section)));
    return;
  }
}

}  // namespace

DeckValue parse_override_value(const std::string& text, const Origin& origin, Faults& faults) {
  const std::string value = trimmed(text);
  if (value.empty() || value == "~" || value == "null") return DeckValue::nothing(origin);
  if (std::string_view("[{\"'").find(value.front()) == std::string_view::npos) {
    return DeckValue::scalar(origin, value, false);
  }
  auto parsed = parse_yaml(value, origin, faults);
  return parsed ? *std::move(parsed) : DeckValue::nothing(origin);
}

void merge_overrides(const std::vector<std::string>& overrides, DeckValue& tree, Faults& faults) {
  const Origin origin{Origin::Kind::command_line, {}, 0, 0};
  for (const std::string& given : overrides) {
    const auto equals = given.find('=');
    const std::string path = trimmed(given.substr(0, equals));
    const auto names = split_path(path);
    if (equals == std::string::npos || names.empty()) {
      faults.add(origin, fmt::format("'{}' isn't of the form section.key=value", given));
      continue;
    }
    Faults value_faults;
    DeckValue value = parse_override_value(given.substr(equals + 1), origin, value_faults);
    if (value_faults.empty()) {
      put(tree, names, std::move(value), path, faults);
    } else {
      faults.add(origin,
                 fmt::format("the value in '{}' can't be read: {}", given, value_faults.first()));
    }
  }
}

void merge_environment(const std::map<std::string, std::string>& environment,
                       const SectionNode& root, DeckValue& tree, Faults& faults) {
  std::vector<Variable> variables;
  gather_variables(root, {}, variables);
  for (const auto& given : environment) {
    const std::string &name = given.first, &text = given.second;
    if (!name.starts_with(prefix) || text.empty()) continue;
    const auto known =
        std::find_if(variables.begin(), variables.end(),
                     [&](const Variable& variable) { return variable.name == name; });
    if (known == variables.end()) {
      judge_stranger(name, variables, root, faults);
      continue;
    }
    const DeckValue* present = find_path(tree, known->path);
    if (present != nullptr && present->origin().kind == Origin::Kind::command_line) continue;
    DeckValue value = parse_override_value(text, {Origin::Kind::environment, name, 0, 0}, faults);
    put(tree, split_path(known->path), std::move(value), known->path, faults);
  }
}

}  // namespace cartwright::rt
