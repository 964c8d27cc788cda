// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/solver.hpp>

namespace cartwright::bench {

/// Heat in two or three dimensions whose cells take longer where a deck says so: `uneven.loops`
/// times some multiplications in the part `uneven.part` of the cells along x (`uneven.striped`:
/// spread evenly), which change nothing that other ranks could see. `uneven.sleep`: microseconds
/// that a rank sleeps for each of them in every step, which takes as long on a busy machine.
[[nodiscard]] grid::SolverEntry uneven_solver();

}  // namespace cartwright::bench
