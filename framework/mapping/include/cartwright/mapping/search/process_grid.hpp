// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

namespace cartwright::mapping {

/// What a process grid is wanted for. Axis 0 is x.
struct ProcessGridRequest {
  int ranks = 1;
  std::vector<long long> extents;    ///< cells along each axis
  std::vector<bool> periodic = {};   ///< empty: nowhere
  std::vector<int> fixed = {};       ///< ranks along an axis, 0 = free; empty: all free
  std::vector<double> weights = {};  ///< cost of a halo cell on a face across this axis; empty: 1
  long long smallest_block = 1;      ///< cells that each rank needs along each axis
  int node_size = 0;                 ///< ranks on each node; 0: unknown, or they differ
};

/// A cut across the unit-stride axis costs this much more than another one (its halo is gathered
/// cell by cell), so that x is cut only where that clearly saves surface.
inline constexpr double unit_stride_penalty = 1.1;

/// The process grid whose busiest rank has the least halo, together with what leaves a node with
/// the best tile (where nodes have the same size), exactly: by trying all factorisations. Ties go
/// to the smaller largest block, then to cutting later axes. Deterministic; needs no MPI. Throws an
/// input error (reach: all ranks) that says what would fit if nothing does.
[[nodiscard]] std::vector<int> choose_process_grid(const ProcessGridRequest& request);

/// As square as can be with so many ranks, whatever the cells: the longer axis first.
[[nodiscard]] std::array<int, 2> squarest_process_grid(int ranks);

/// Cells of a face of the largest block, by axis: what a face between two ranks carries, and so
/// what a mapping should weigh it by.
[[nodiscard]] std::vector<double> face_cells(const ProcessGridRequest& request,
                                             const std::vector<int>& dims);

/// Halo cells of the busiest rank times their weights.
[[nodiscard]] double halo_cost(const ProcessGridRequest& request, const std::vector<int>& dims);

/// Halo cells that leave a node, in the mean of all nodes and times their weights, when each node
/// gets the best tile (see tile.hpp). 0 where there is one node, or node_size doesn't divide the
/// ranks. `choose_process_grid` minimises the sum of both costs: a node's link is taken to be as
/// quick as a rank packs, so that nodes come first (a node's surface is the greater one), and ranks
/// decide between grids that are equally good for nodes.
[[nodiscard]] double node_halo_cost(const ProcessGridRequest& request,
                                    const std::vector<int>& dims);

}  // namespace cartwright::mapping
