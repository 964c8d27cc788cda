// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/deck_parser.hpp>
#include <cartwright/rt/deck_reference.hpp>
#include <nlohmann/json.hpp>

namespace cartwright::rt {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const DeckValue& value) {
  if (value.is_scalar()) {
    Json plain = Json::parse(value.text(), nullptr, false);
    return value.is_quoted() || plain.is_discarded() ? Json(value.text()) : plain;
  }
  if (value.is_list()) {
    Json list = Json::array();
    for (const DeckValue& item : value.items()) list.push_back(to_json(item));
    return list;
  }
  if (!value.is_map()) return nullptr;
  Json map = Json::object();
  for (const DeckEntry& entry : value.entries()) map[entry.name] = to_json(entry.value);
  return map;
}

Json key_schema(const KeyNode& key) {
  Json schema = Json::parse(key.value.json_schema);
  std::string description = key.about;
  if (!key.unit.empty()) description += (description.empty() ? "" : ", ") + ("in " + key.unit);
  if (!description.empty()) schema["description"] = description;
  if (!key.example.empty()) {
    Faults ignored;
    if (const auto example = parse_yaml(key.example, {}, ignored)) {
      schema["examples"] = Json::array({to_json(*example)});
    }
  }
  if (key.required || key.value.default_text.empty()) return schema;
  Faults ignored;
  if (const auto value = parse_yaml(key.value.default_text, {}, ignored)) {
    schema["default"] = to_json(*value);
  }
  return schema;
}

Json section_schema(const SectionNode& section) {
  Json schema{{"type", "object"}};
  if (!section.about.empty()) schema["description"] = section.about;
  Json properties = Json::object(), required = Json::array();
  for (const KeyNode& key : section.keys) {
    properties[key.name] = key_schema(key);
    if (key.required) required.push_back(key.name);
  }
  for (const SectionNode& inner : section.sections) {
    Json inner_schema = section_schema(inner);
    if (inner_schema.contains("required")) {
      required.push_back(inner.name);
    } else {
      inner_schema["type"] = {"object", "null"};  // `grid:` with nothing below it
    }
    properties[inner.name] = std::move(inner_schema);
  }
  if (!required.empty()) schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  schema["additionalProperties"] = false;
  for (const NamedSections& named : section.named) {
    schema["additionalProperties"] = section_schema(named.pattern);
  }
  return schema;
}

}  // namespace

std::string deck_json_schema(const SectionNode& root, const std::string& title) {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  schema.update(section_schema(root));
  return schema.dump(2) + "\n";
}

}  // namespace cartwright::rt
