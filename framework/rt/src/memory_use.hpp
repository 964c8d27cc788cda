// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::rt {

/// "this rank held 3.2 GiB; the node has 0.1 of 15.6 GiB left", as far as Linux tells.
[[nodiscard]] std::string memory_use_text();

}  // namespace cartwright::rt
