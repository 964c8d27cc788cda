// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <cartwright/rt/deck_parser.hpp>
#include <sstream>

#include "yaml_syntax.hpp"
#include "yaml_tree.hpp"

namespace cartwright::rt {

std::optional<DeckValue> parse_yaml(const std::string& text, const Origin& origin, Faults& faults) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::string content =
      text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
  YamlTree tree(origin, content, faults);
  try {
    std::istringstream stream(content);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(tree)) {
    }
  } catch (const YamlLimit& limit) {
    faults.add(tree.origin(limit.mark), limit.text);
    return std::nullopt;
  } catch (const YAML::DeepRecursion& error) {
    faults.add(tree.origin(error.mark), "too many levels of nesting: this is no deck");
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    const SyntaxFault fault = explain_syntax(error, content);
    Origin place = origin;
    if (place.kind == Origin::Kind::deck) {
      place.line = fault.line;
      place.column = fault.column;
    }
    faults.add(place, fault.text);
    return std::nullopt;
  }
  auto root = tree.take();
  return root ? root : DeckValue::nothing(origin);
}

}  // namespace cartwright::rt
