// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace cartwright::mapping {

/// What a text means as a quantity; without a value, `hint` may say how to write it instead.
template <class Value>
struct QuantityText {
  std::optional<Value> value;
  std::string hint;
};

/// Seconds: "1.33 us", "380ns", "0". As exact as the same number with an exponent: 1.33e-6.
[[nodiscard]] QuantityText<double> parse_time(std::string_view text);
/// Seconds per byte: "1627.5 MB/s", "100 Gbit/s", "0.4 ns/B", "unlimited".
[[nodiscard]] QuantityText<double> parse_byte_time(std::string_view text);
/// Bytes per second, finite: "1627.5 MB/s", "100 Gbit/s".
[[nodiscard]] QuantityText<double> parse_bandwidth(std::string_view text);
/// "8 B", "2 KiB", "64 kB", "8".
[[nodiscard]] QuantityText<plan::Count> parse_bytes(std::string_view text);

/// Texts that the functions above take back to the same number, as short as can be.
[[nodiscard]] std::string time_text(double seconds);
[[nodiscard]] std::string byte_time_text(double seconds_per_byte);
[[nodiscard]] std::string bandwidth_text(double bytes_per_second);
[[nodiscard]] std::string bytes_text(plan::Count bytes);

}  // namespace cartwright::mapping
