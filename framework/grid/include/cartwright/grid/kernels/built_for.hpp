// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::grid {

/// For which processors the framework was compiled, and the width of their vectors, as a run says
/// it: "this processor, vectors of 512 bits". Kernels of programs may have been compiled otherwise.
[[nodiscard]] std::string built_for();

/// Instructions for which it was compiled and which this processor doesn't have; empty if there are
/// none.
[[nodiscard]] std::string missing_instructions();

}  // namespace cartwright::grid
