// SPDX-License-Identifier: Apache-2.0
// Problems of the solvers of bin/pde on grids of awkward shapes, with sources of trouble: random
// data, boundary values that change, bodies, stretched cells.
#pragma once

#include <string>
#include <vector>

namespace pde_test {

struct Problem {
  std::string name, solver;
  std::string field;  ///< of its output
  std::string deck;   ///< of 30 steps; output and a checkpoint every 10
  int dimensions;
};

/// Those that go in time steps.
std::vector<Problem> pde_problems();

}  // namespace pde_test
