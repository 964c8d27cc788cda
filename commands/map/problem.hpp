// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <optional>
#include <vector>

#include "options.hpp"

namespace cartwright::command {

/// What is to be mapped, with everything that was left open decided.
struct MapProblem {
  mapping::MappingRequest request;
  std::optional<plan::Machine> machine;
  std::vector<double> face_bytes;  ///< by axis
};

/// More positions than this aren't drawn, judged and searched here.
inline constexpr long long most_positions = 1 << 18;

/// Throws rt::Error that says what would fit.
MapProblem map_problem(const MapOptions& options);

}  // namespace cartwright::command
