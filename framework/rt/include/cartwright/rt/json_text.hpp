// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cartwright::rt {

/// `text` as a JSON string, in quotes; what isn't UTF-8 is replaced.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace cartwright::rt
