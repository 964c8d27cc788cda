// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace cartwright::rt {

/// "rank 3", "ranks 0-2, 4".
[[nodiscard]] std::string ranks_text(std::span<const int> ranks);

}  // namespace cartwright::rt
