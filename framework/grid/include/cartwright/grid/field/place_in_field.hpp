// SPDX-License-Identifier: Apache-2.0
// Where in a field something is, for messages.
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <string>

namespace cartwright::grid {

/// Collective. In words, where the first point lies, in global memory order, whose value isn't a
/// finite number: "cell (3, 4), at x, y = (0.35, 0.45)"; empty if all are finite.
[[nodiscard]] std::string place_not_finite(const FieldBase& field);

/// Collective. The same of the first point that holds `value`; of a field of doubles, on a grid.
[[nodiscard]] std::string place_of_value(const FieldBase& field, double value);

}  // namespace cartwright::grid
