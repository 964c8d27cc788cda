// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cartwright::rt {

/// How many letters must be added, removed, replaced or swapped with a neighbour to make `b` of `a`
/// (optimal string alignment); case, '-' and '_' don't count.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

/// The candidate that a person who wrote `name` most likely meant, if any is close.
[[nodiscard]] std::optional<std::string> closest(std::string_view name,
                                                 std::span<const std::string> candidates);

/// ", did you mean 'periodic'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string> candidates);

}  // namespace cartwright::rt
