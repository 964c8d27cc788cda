// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/deck_reference.hpp>

namespace cartwright::rt {
namespace {

/// A table's cell: no line breaks, no bars.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : fmt::format("`{}`", text);
}

std::string limits_of(const Limits& limits) {
  std::string text;
  const auto add = [&text](const char* sign, const std::optional<double>& bound) {
    if (bound) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sign, *bound);
  };
  add("≥", limits.minimum);
  add(">", limits.above);
  add("≤", limits.maximum);
  add("<", limits.below);
  return text;
}

std::string default_of(const KeyNode& key) {
  if (key.required) return "**required**";
  return key.value.default_text.empty() ? "not set" : code(key.value.default_text);
}

std::string about_of(const KeyNode& key) {
  std::string about = key.about;
  if (!key.example.empty()) {
    about += fmt::format("{}e.g. {}", about.empty() ? "" : "; ",
                         code(fmt::format("{}: {}", key.name, key.example)));
  }
  return about;
}

void add_table(const SectionNode& section, std::string& text) {
  if (section.keys.empty()) return;
  text += "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const KeyNode& key : section.keys) {
    const std::string limits = limits_of(key.limits);
    text += fmt::format("| `{}` | {}{}{} | {} | {} | {} |\n", key.name, cell(key.value.type),
                        limits.empty() ? "" : ", ", limits, cell(key.unit), cell(default_of(key)),
                        cell(about_of(key)));
  }
  text += '\n';
}

void add_sections(const SectionNode& section, const std::string& path, std::string& text) {
  const auto add = [&](const SectionNode& inner, const std::string& name) {
    const std::string inner_path = path.empty() ? name : path + "." + name;
    text += fmt::format("## `{}`\n\n", inner_path);
    if (!inner.about.empty()) text += inner.about + ".\n\n";
    add_table(inner, text);
    add_sections(inner, inner_path, text);
  };
  for (const SectionNode& inner : section.sections) add(inner, inner.name);
  for (const NamedSections& named : section.named)
    add(named.pattern, "<" + named.placeholder + ">");
}

}  // namespace

std::string deck_reference(const SectionNode& root, const std::string& title) {
  std::string text = fmt::format("# {}\n\n", title);
  text +=
      "Generated from the program's schema. Every key can also be set on the command line "
      "(`section.key=value`) and in the environment (`CARTWRIGHT_SECTION_KEY`); the command line "
      "wins over the environment, the environment over the deck, the deck over the default. "
      "`<name>` stands for a name of your choice.\n\n";
  if (!root.keys.empty()) text += "## Top level\n\n";
  add_table(root, text);
  add_sections(root, {}, text);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace cartwright::rt
