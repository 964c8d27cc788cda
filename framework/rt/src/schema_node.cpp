// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <utility>

namespace cartwright::rt {
namespace {

template <class Nodes>
auto find_named(Nodes& nodes, const std::string& name) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.name == name; });
  return found == nodes.end() ? nullptr : &*found;
}

}  // namespace

const KeyNode* SectionNode::find_key(const std::string& key_name) const noexcept {
  return find_named(keys, key_name);
}

const SectionNode* SectionNode::find_section(const std::string& section_name) const noexcept {
  return find_named(sections, section_name);
}

SectionNode* SectionNode::find_section(const std::string& section_name) noexcept {
  return find_named(sections, section_name);
}

SectionNode& SectionNode::add_section(const std::string& section_name,
                                      const std::string& section_about) {
  if (find_key(section_name) != nullptr) {
    throw internal_failure("the schema has a key and a section called '" + section_name + "'");
  }
  SectionNode* section = find_section(section_name);
  if (section == nullptr) {
    section = &sections.emplace_back();
    section->name = section_name;
  }
  if (section->about.empty()) section->about = section_about;
  return *section;
}

KeyNode& SectionNode::add_key(KeyNode node) {
  if (find_key(node.name) != nullptr || find_section(node.name) != nullptr) {
    throw internal_failure("the schema declares '" + node.name + "' twice in section '" + name +
                           "'");
  }
  return keys.emplace_back(std::move(node));
}

}  // namespace cartwright::rt
