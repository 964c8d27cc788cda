// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/grid.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "../peer/block.hpp"

namespace cartwright::bench {

/// This rank's share of the cells of `grid`.
[[nodiscard]] inline peer::Extents extents_of(const grid::Grid<3>& grid) {
  const grid::Index<3> extent = grid.local_extent(grid::Centring::cell);
  return {extent[0], extent[1], extent[2]};
}

/// Who is beyond the faces: hand-written peers work on the same process grid.
[[nodiscard]] inline peer::Neighbours neighbours_of(const grid::GridBase& grid) {
  peer::Neighbours neighbours{};
  for (int face = 0; face < 6; ++face) {
    const auto rank = grid.comm().neighbour(face / 2, face % 2 == 0 ? -1 : 1);
    neighbours[static_cast<std::size_t>(face)] = rank ? rank->value : MPI_PROC_NULL;
  }
  return neighbours;
}

/// The owned values of `field`, x fastest.
[[nodiscard]] inline std::vector<double> owned_values(const grid::Field<double, 3>& field) {
  std::vector<double> values(static_cast<std::size_t>(field.owned().size()));
  field.copy_owned_to(std::as_writable_bytes(std::span(values)));
  return values;
}

/// Calls visit(value of the block, value of the list) for every owned point.
template <class Visit>
void for_each_pair(const peer::Block& block, std::span<const double> values, const Visit& visit) {
  const auto [nx, ny, nz] = block.extents();
  std::size_t number = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) visit(block.row(y, z)[x], values[number++]);
}

}  // namespace cartwright::bench
