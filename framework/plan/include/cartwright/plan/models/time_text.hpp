// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/time.hpp>
#include <string>

namespace cartwright::plan {

/// Four significant digits and the unit that suits: "813.2 ns", "6.300 us", "1.240 ms".
std::string time_text(Picoseconds time);

}  // namespace cartwright::plan
