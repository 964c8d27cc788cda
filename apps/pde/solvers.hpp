// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>
#include <vector>

namespace pde {

cartwright::grid::SolverEntry advection_solver();
cartwright::grid::SolverEntry euler_solver();
cartwright::grid::SolverEntry gray_scott_solver();
cartwright::grid::SolverEntry heat_solver();
cartwright::grid::SolverEntry lattice_boltzmann_solver();
cartwright::grid::SolverEntry life_solver();
cartwright::grid::SolverEntry navier_stokes_solver();
cartwright::grid::SolverEntry poisson_solver();
cartwright::grid::SolverEntry porous_medium_solver();
cartwright::grid::SolverEntry wave_solver();

/// What the program offers.
inline std::vector<cartwright::grid::SolverEntry> solvers() {
  return {advection_solver(),         euler_solver(), gray_scott_solver(),    heat_solver(),
          lattice_boltzmann_solver(), life_solver(),  navier_stokes_solver(), poisson_solver(),
          porous_medium_solver(),     wave_solver()};
}

}  // namespace pde
