// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace cartwright::grid {

class Particles;

/// Of each of a rank's particles the cell among the rank's own, axis by axis.
template <int D>
struct HomeCells {
  std::array<std::vector<int>, static_cast<std::size_t>(D)> along;
};

/// Local. Finds them. Throws an internal failure if a particle isn't in the rank's cells: they must
/// have migrated. Allocates nothing for as many particles as before.
template <int D>
void find_home_cells(const Particles& particles, HomeCells<D>& cells);

extern template void find_home_cells(const Particles& particles, HomeCells<1>& cells);
extern template void find_home_cells(const Particles& particles, HomeCells<2>& cells);
extern template void find_home_cells(const Particles& particles, HomeCells<3>& cells);

}  // namespace cartwright::grid
