// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/fault.hpp>
#include <optional>
#include <string>

namespace cartwright::rt {

/// Builds the tree of one YAML document; lines and columns are filled in where `origin` is a deck.
/// Repeated keys, unknown tags and the like are added to `faults`; nothing is returned when the
/// text isn't YAML at all, or would expand (by aliases) or nest beyond reason.
[[nodiscard]] std::optional<DeckValue> parse_yaml(const std::string& text, const Origin& origin,
                                                  Faults& faults);

}  // namespace cartwright::rt
