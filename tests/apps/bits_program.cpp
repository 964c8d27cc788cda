// SPDX-License-Identifier: Apache-2.0
// Two solvers of apps/pde, to be compiled for one processor or another.
#include <cartwright/cartwright.hpp>

#include "../../apps/pde/solvers.hpp"

int main(int argc, char** argv) {
  return cartwright::run(argc, argv, {pde::heat_solver(), pde::lattice_boltzmann_solver()});
}
