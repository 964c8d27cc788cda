// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema_node.hpp>
#include <string>

namespace cartwright::rt {

/// All keys as Markdown: one table a section, with type, unit, default and meaning.
[[nodiscard]] std::string deck_reference(const SectionNode& root, const std::string& title);

/// JSON Schema (draft 7, which the editors' YAML plug-ins read) that completes and checks decks.
[[nodiscard]] std::string deck_json_schema(const SectionNode& root, const std::string& title);

}  // namespace cartwright::rt
