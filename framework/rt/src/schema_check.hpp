// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <map>
#include <string>
#include <vector>

namespace cartwright::rt {

/// Makes the sections whose names the user chose, as the tree has them.
void expand_named_sections(SectionNode& section, const DeckValue& tree);

/// Compares a tree with a schema: assigns values, gathers faults and notes where values came from.
class SchemaCheck {
 public:
  SchemaCheck(const SectionNode& root, Origin whole_deck, Faults& faults,
              std::map<std::string, Origin>& origins);
  void run(const DeckValue& tree);

 private:
  void check_section(const SectionNode& section, const std::string& path, const DeckValue* given);
  void check_entry(const SectionNode& section, const std::string& path, const DeckEntry& entry);
  void check_missing(const SectionNode& section, const std::string& path, const DeckValue* given);
  void report_unknown(const SectionNode& section, const std::string& path, const DeckEntry& entry);
  /// ", did you mean 'periodic'?", ": it belongs in 'time'", or what the section knows.
  [[nodiscard]] std::string advice(const SectionNode& section, const std::string& path,
                                   const std::string& name) const;
  [[nodiscard]] std::vector<std::string> places_of(const std::string& name) const;

  const SectionNode& root_;
  Origin whole_deck_;
  Faults& faults_;
  std::map<std::string, Origin>& origins_;
  std::vector<std::string> all_paths_;  // of keys and sections
};

}  // namespace cartwright::rt
