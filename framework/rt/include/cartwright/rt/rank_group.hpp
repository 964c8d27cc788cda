// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <span>
#include <vector>

namespace cartwright::rt {

/// The numbers that ranks of `from` have in `to`; -1 for those that aren't in it. Local.
[[nodiscard]] std::vector<int> translate(std::span<const int> ranks, const Communicator& from,
                                         const Communicator& to);

}  // namespace cartwright::rt
