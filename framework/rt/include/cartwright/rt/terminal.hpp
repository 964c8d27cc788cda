// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

namespace cartwright::rt {

/// Columns of the terminal that a person sees `stream` on; 0 when there is none. Under mpirun a
/// rank's own standard output is always a pseudo-terminal, so mpirun's is looked at instead.
/// CARTWRIGHT_TERMINAL=0 or =COLUMNS in the environment decides before anything else.
[[nodiscard]] int terminal_width(std::FILE* stream) noexcept;

}  // namespace cartwright::rt
