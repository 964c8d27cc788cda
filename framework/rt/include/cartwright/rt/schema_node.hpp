// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

class DeckValue;  // a scalar, list or map of the deck with its place in the file (deck_value.hpp)

/// Reads one value of the deck into the object that it is bound to, and shows it again.
/// `read` returns an empty string, or what is wrong ("expected a number, found 'fast'").
struct ValueBinding {
  std::string type;                                  ///< "number", "integer", "list of 3 numbers"…
  std::function<std::string(const DeckValue&)> read;
  std::function<std::string()> show;                 ///< as YAML, for --print-config and the default
  std::string json_schema_type;                      ///< for editors: JSON text of the type
};

/// One key: name, documentation, constraints, and where its value goes.
struct KeyNode {
  std::string name, about, unit, example;
  std::optional<double> minimum, maximum, above;
  std::vector<std::string> choices;
  bool required = false;
  ValueBinding value;
};

/// A section of the deck: keys and further sections, in order of declaration.
struct SectionNode {
  std::string name, about;
  std::deque<KeyNode> keys;
  std::deque<SectionNode> sections;  // deque: references stay valid while the tree grows

  SectionNode& add_section(const std::string& section_name, const std::string& section_about);
  void add_key(KeyNode node);
};

/// One overload for each supported type of member; constraints of `node` are checked in `read`.
ValueBinding bind_value(bool& value, const KeyNode& node);
ValueBinding bind_value(int& value, const KeyNode& node);
ValueBinding bind_value(long long& value, const KeyNode& node);
ValueBinding bind_value(double& value, const KeyNode& node);
ValueBinding bind_value(std::string& value, const KeyNode& node);
ValueBinding bind_value(std::vector<bool>& value, const KeyNode& node);
ValueBinding bind_value(std::vector<int>& value, const KeyNode& node);
ValueBinding bind_value(std::vector<long long>& value, const KeyNode& node);
ValueBinding bind_value(std::vector<double>& value, const KeyNode& node);
ValueBinding bind_value(std::vector<std::string>& value, const KeyNode& node);
ValueBinding bind_value(std::optional<bool>& value, const KeyNode& node);
ValueBinding bind_value(std::optional<int>& value, const KeyNode& node);
ValueBinding bind_value(std::optional<long long>& value, const KeyNode& node);
ValueBinding bind_value(std::optional<double>& value, const KeyNode& node);
ValueBinding bind_value(std::optional<std::string>& value, const KeyNode& node);
ValueBinding bind_value(std::map<std::string, std::string>& value, const KeyNode& node);
ValueBinding bind_value(std::map<std::string, double>& value, const KeyNode& node);

}  // namespace cartwright::rt
