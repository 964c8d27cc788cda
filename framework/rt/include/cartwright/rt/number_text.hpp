// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cartwright::rt {

/// What a text means as a number; without a value, `hint` may say how to write it instead.
template <class Number>
struct NumberText {
  std::optional<Number> value;
  std::string hint;
};

/// Integers as people mean them: "10", "-3", "1_000", "0x1F", "0o17", "1e3" (exact ones only).
/// Refused with a hint: "010" (octal in YAML 1.1), "64.0", "1.5", what doesn't fit into 64 bits.
[[nodiscard]] NumberText<long long> parse_integer(std::string_view text);

/// Finite numbers in decimal: "1", "-.5", "1e-3", "1_000.5".
/// Refused with a hint: nan, inf, "010", "1,5", "1d3", what a double can't hold.
[[nodiscard]] NumberText<double> parse_number(std::string_view text);

}  // namespace cartwright::rt
