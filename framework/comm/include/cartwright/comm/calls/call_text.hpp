// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <string>

namespace cartwright::comm {

/// "solver.cpp:42"; "a place that is not known".
[[nodiscard]] std::string describe(const CallSite& site);
/// "allreduce at solver.cpp:42".
[[nodiscard]] std::string describe(const Call& call);

}  // namespace cartwright::comm
