// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cartwright::rt {

/// The cores (hardware threads, as Linux numbers them) that the calling thread may run on.
[[nodiscard]] std::vector<int> cpu_set();

/// `0-3,8`: a sorted list of cores as people write it; "none" when empty.
[[nodiscard]] std::string cpu_list_text(const std::vector<int>& cpus);

}  // namespace cartwright::rt
