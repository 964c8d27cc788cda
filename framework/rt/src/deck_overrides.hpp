// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <map>
#include <string>
#include <vector>

namespace cartwright::rt {

/// The value of an override or a variable: YAML where it begins with [, { or a quote, otherwise the
/// text as it stands (no comments, no ': '), and nothing for "", "~" and "null".
[[nodiscard]] DeckValue parse_override_value(const std::string& text, const Origin& origin,
                                             Faults& faults);

/// Merges "a.b=value" from the command line into the tree.
void merge_overrides(const std::vector<std::string>& overrides, DeckValue& tree, Faults& faults);

/// Merges the variables that name keys of `root` into the tree, except where the command line has
/// spoken. Variables that look like a mistyped key are faults.
void merge_environment(const std::map<std::string, std::string>& environment,
                       const SectionNode& root, DeckValue& tree, Faults& faults);

}  // namespace cartwright::rt
