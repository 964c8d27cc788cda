// SPDX-License-Identifier: Apache-2.0
// Diffusion in 1 dimension and its solvers: compiled here once, and not with each program.
#include <cartwright/linear/solver.hpp>

namespace cartwright::linear {

template class Diffusion<1, false>;
template class Diffusion<1, true>;
template class Solver<Diffusion<1, false>>;
template class Solver<Diffusion<1, true>>;

}  // namespace cartwright::linear
