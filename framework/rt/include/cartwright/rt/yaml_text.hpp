// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cartwright::rt {

/// `text` as a YAML scalar on one line, also inside of [ ] and { }: in quotes only where YAML, or a
/// person, could take it for something else.
[[nodiscard]] std::string yaml_text(std::string_view text);

/// In double quotes, with JSON's escapes; bytes that are no UTF-8 stay as they are.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace cartwright::rt
