// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/space/index.hpp>
#include <vector>

namespace cartwright::grid {

class Particles;

/// Local. The cell of each of this rank's particles, among the rank's own. Throws an internal
/// failure if one isn't in them: they must have migrated. Allocates nothing for as many particles
/// as before.
template <int D>
void find_home_cells(const Particles& particles, std::vector<Index<D>>& cells);

extern template void find_home_cells(const Particles& particles, std::vector<Index<1>>& cells);
extern template void find_home_cells(const Particles& particles, std::vector<Index<2>>& cells);
extern template void find_home_cells(const Particles& particles, std::vector<Index<3>>& cells);

}  // namespace cartwright::grid
