// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rows.hpp"

namespace cartwright::command {

/// Everything for programs, into options.json. Throws rt::Error.
void write_map_json(const MapOptions& options, const MapProblem& problem, const MapResult& result);

}  // namespace cartwright::command
