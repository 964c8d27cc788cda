// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace cartwright::command {

/// Numbers between `separator`, all above 0; nothing if the text isn't that.
std::vector<long long> numbers_in(std::string_view text, char separator);
/// The largest number there is where it would be larger.
long long product(const std::vector<long long>& numbers);

}  // namespace cartwright::command
