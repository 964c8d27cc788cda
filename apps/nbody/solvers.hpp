// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>

namespace nbody {

cartwright::grid::SolverEntry gravity_solver();
cartwright::grid::SolverEntry lennard_jones_solver();

}  // namespace nbody
