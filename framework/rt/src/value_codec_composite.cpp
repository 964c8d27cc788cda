// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/value_codec_composite.hpp>
#include <cartwright/rt/yaml_text.hpp>
#include <nlohmann/json.hpp>

namespace cartwright::rt::composite {
namespace {

using Json = nlohmann::ordered_json;
constexpr auto unlimited = static_cast<std::size_t>(-1);

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "64,64" as people write it on a command line.
std::vector<DeckValue> split(const DeckValue& given) {
  std::vector<DeckValue> items;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = given.text().find(',', begin);
    items.push_back(
        DeckValue::scalar(given.origin(), trimmed(given.text().substr(begin, end - begin)), false));
  }
  return items;
}

std::string count_of(const Limits& limits, const TypeName& element) {
  if (limits.shortest == limits.longest) {
    return limits.shortest == 1 ? "1 " + element.bare
                                : fmt::format("{} {}", limits.shortest, element.many);
  }
  if (limits.longest == unlimited) {
    return limits.shortest == 0 ? element.many
                                : fmt::format("{} or more {}", limits.shortest, element.many);
  }
  return fmt::format("{} to {} {}", limits.shortest, limits.longest, element.many);
}

}  // namespace

std::optional<std::vector<DeckValue>> elements(const DeckValue& given, const Reading& reading,
                                               const TypeName& element) {
  const TypeName name = list_type(reading.limits, element);
  std::vector<DeckValue> items;
  if (given.is_list()) {
    items = given.items();
  } else if (given.is_scalar() && !given.is_quoted() && given.origin().kind != Origin::Kind::deck) {
    items = split(given);
  } else {
    const bool single = given.is_scalar() && given.text().find(',') == std::string::npos;
    const bool bare = given.is_scalar() && !single && !given.is_quoted();
    const std::string hint = single || bare ? fmt::format(": write [{}]", given.text()) : "";
    static_cast<void>(reading.refuse(given, name.one + (hint.size() < 60 ? hint : "")));
    return std::nullopt;
  }
  if (items.size() >= reading.limits.shortest && items.size() <= reading.limits.longest)
    return items;
  static_cast<void>(reading.refuse(given, name.one));
  return std::nullopt;
}

std::string element_path(const std::string& path, std::size_t index) {
  const std::string of = path.ends_with('\'') ? path : "'" + path + "'";
  return fmt::format("element {} of {}", index + 1, of);
}

bool expect_map(const DeckValue& given, const Reading& reading, const TypeName& element) {
  return given.is_map() || reading.refuse(given, map_type(element).one);
}

TypeName list_type(const Limits& limits, const TypeName& element) {
  const std::string list = "list of " + count_of(limits, element);
  return {"a " + list, "lists of " + count_of(limits, element), list};
}

TypeName map_type(const TypeName& element) {
  const std::string pairs = "'name: value' pairs, each value " + element.one;
  return {pairs, pairs, "map of names to " + element.many};
}

std::string show_list(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

std::string show_map(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string shown;
  for (const auto& [name, value] : entries) {
    shown += fmt::format("{}{}: {}", shown.empty() ? "" : ", ", yaml_text(name),
                         value.empty() ? "null" : value);
  }
  return "{" + shown + "}";
}

std::string list_schema(const Limits& limits, const std::string& element) {
  Json schema{{"type", "array"}, {"items", Json::parse(element)}};
  if (limits.shortest > 0) schema["minItems"] = limits.shortest;
  if (limits.longest != unlimited) schema["maxItems"] = limits.longest;
  return schema.dump();
}

std::string map_schema(const std::string& element) {
  return Json{{"type", "object"}, {"additionalProperties", Json::parse(element)}}.dump();
}

std::string optional_schema(const std::string& value) {
  Json schema = Json::parse(value);
  Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
  types.push_back("null");
  schema["type"] = types;
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
  return schema.dump();
}

}  // namespace cartwright::rt::composite
