// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <string>
#include <vector>

namespace cartwright::rt {

/// "grid", "extent" → "grid.extent"; at the top level the name alone.
[[nodiscard]] std::string join_path(const std::string& section, const std::string& name);

/// The names in "grid.extent"; none if one of them is empty.
[[nodiscard]] std::vector<std::string> split_path(const std::string& path);

/// The value at `path`; nullptr if there is none.
[[nodiscard]] const DeckValue* find_path(const DeckValue& tree, const std::string& path);

/// "extent, periodic, spacing": what may stand in a section, for messages; cut when long.
[[nodiscard]] std::string known_names(const SectionNode& section);

}  // namespace cartwright::rt
