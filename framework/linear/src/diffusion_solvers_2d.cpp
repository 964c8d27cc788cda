// SPDX-License-Identifier: Apache-2.0
// Diffusion in 2 dimensions and its solvers: compiled here once, and not with each program.
#include <cartwright/linear/solver.hpp>

namespace cartwright::linear {

template class Diffusion<2, false>;
template class Diffusion<2, true>;
template class Solver<Diffusion<2, false>>;
template class Solver<Diffusion<2, true>>;

}  // namespace cartwright::linear
