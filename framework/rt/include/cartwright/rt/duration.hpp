// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace cartwright::rt {

using Seconds = std::chrono::duration<double>;

/// Reads "90" (seconds), "90s", "1h30m", "2 d 4 h", "250ms", "1:30:00"; nothing for anything else.
[[nodiscard]] std::optional<Seconds> parse_duration(std::string_view text);

/// "1h30m", "1.5s": exact to a microsecond, and can be read again.
[[nodiscard]] std::string format_duration(Seconds duration);

}  // namespace cartwright::rt
