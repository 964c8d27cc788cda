// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run.hpp>

namespace render {

/// The app as `run` knows it.
[[nodiscard]] cartwright::grid::SolverEntry entry();

}  // namespace render
