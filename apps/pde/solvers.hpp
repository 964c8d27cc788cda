// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>

namespace pde {

cartwright::grid::SolverEntry heat_solver();
cartwright::grid::SolverEntry wave_solver();

}  // namespace pde
