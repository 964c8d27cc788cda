// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::comm {

/// When a caller waits for its collective: other algorithms are quick then. The same on all ranks
/// of a call.
enum class Waiting : std::uint8_t {
  at_once,  ///< it does nothing else: it polls all the time
  later,    ///< it computes first, and polls now and then
};

}  // namespace cartwright::comm
