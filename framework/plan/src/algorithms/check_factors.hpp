// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/team.hpp>

#include <span>

namespace cartwright::plan {

/// Throws std::invalid_argument unless the factors, each at least 2, multiply to the team's ranks.
void check_factors(const Team& team, std::span<const int> factors);

}  // namespace cartwright::plan
