// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

class DeckValue;
class Faults;

/// Reads one value of the deck into the object that it is bound to, and shows it again.
struct ValueBinding {
  std::string type;  ///< "number", "integer", "list of 3 numbers"…
  /// Assigns the value given for the key `path`, or adds faults and leaves the object alone.
  std::function<void(const DeckValue& given, const std::string& path, Faults& faults)> read;
  std::function<std::string()> show;  ///< as YAML on one line; empty for an absent optional
  std::string default_text;           ///< what `show` gave before any deck was read
  std::string json_schema;            ///< for editors: JSON text of the type with its limits
};

/// What the values of a key must satisfy; for lists and maps: what each element must satisfy.
struct Limits {
  std::optional<double> minimum, maximum;  ///< inclusive
  std::optional<double> above, below;      ///< exclusive
  std::vector<std::string> choices;        ///< empty: any text
  std::vector<long long> choice_values;    ///< of enums: empty means 0, 1, 2…
  std::size_t shortest = 0;                ///< lists: fewest elements
  std::size_t longest = static_cast<std::size_t>(-1);
};

/// One key: name, documentation, limits, and where its value goes.
struct KeyNode {
  std::string name, about, unit, example;
  bool required = false;
  Limits limits;
  ValueBinding value;
};

struct NamedSections;

/// A section of the deck: keys and further sections, in order of declaration.
struct SectionNode {
  std::string name, about;
  std::list<KeyNode> keys;
  std::list<SectionNode> sections;   // lists: references stay valid while the tree grows
  std::vector<NamedSections> named;  ///< at most one: sections whose names the user chooses

  /// Adds a section, or returns the one of that name: several modules may add keys to one section.
  SectionNode& add_section(const std::string& section_name, const std::string& section_about = {});
  /// Throws an internal failure when the name is taken.
  KeyNode& add_key(KeyNode node);

  [[nodiscard]] const KeyNode* find_key(const std::string& key_name) const noexcept;
  [[nodiscard]] const SectionNode* find_section(const std::string& section_name) const noexcept;
  [[nodiscard]] SectionNode* find_section(const std::string& section_name) noexcept;
};

/// Sections that all have the same keys, under names that the user chooses.
struct NamedSections {
  std::string placeholder;  ///< for the reference: "field"
  /// Makes the object called `name` and binds its keys to `into`.
  std::function<void(SectionNode& into, const std::string& name)> bind;
  SectionNode pattern;                   ///< for documentation, bound to…
  std::shared_ptr<void> pattern_object;  ///< …an object of its own
};

}  // namespace cartwright::rt
