// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>
#include <vector>

namespace nbody {

cartwright::grid::SolverEntry gravity_solver();
cartwright::grid::SolverEntry lennard_jones_solver();

/// What the program offers.
inline std::vector<cartwright::grid::SolverEntry> solvers() {
  return {gravity_solver(), lennard_jones_solver()};
}

}  // namespace nbody
