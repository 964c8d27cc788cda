// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rows.hpp"

namespace cartwright::command {

/// "24 x 24 ranks on 48 nodes of 12 (jaguar)".
std::string map_title(const MapProblem& problem);
/// "288 (168 + 120) of 1104".
std::string faces_text(const MapRow& row);
/// All of it as people read it, on standard output.
void print_map(const MapOptions& options, const MapProblem& problem, const MapResult& result);

}  // namespace cartwright::command
