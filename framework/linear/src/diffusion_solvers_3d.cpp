// SPDX-License-Identifier: Apache-2.0
// Diffusion in 3 dimensions and its solvers: compiled here once, and not with each program.
#include <cartwright/linear/solver.hpp>

namespace cartwright::linear {

template class Diffusion<3, false>;
template class Diffusion<3, true>;
template class Solver<Diffusion<3, false>>;
template class Solver<Diffusion<3, true>>;

}  // namespace cartwright::linear
