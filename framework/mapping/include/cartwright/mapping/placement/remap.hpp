// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/placement.hpp>
#include <cartwright/rt/communicator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::mapping {

enum class Strategy {
  identity,   ///< ranks keep their numbers
  tile,       ///< each node gets a compact block of the grid, whatever that brings
  automatic,  ///< the fewest faces off the busiest node, then off all; ranks stay if none is gained
};
/// "identity", "tile", "auto". Throws an input error for other names.
[[nodiscard]] Strategy strategy_from_name(std::string_view name);

/// What was chosen for this rank, and why.
struct Mapping {
  std::vector<int> coordinates;
  long long faces = 0;                  ///< pairs of neighbouring ranks, see GridShape::faces
  long long off_node_faces_before = 0;  ///< of them between nodes, had the ranks kept their numbers
  long long off_node_faces_after = 0;
  std::string explanation;  ///< "tiles of 4 x 2: …"

  /// "56 -> 32 of 112 (50 % -> 29 %)".
  [[nodiscard]] std::string describe_faces() const;
};

/// A communicator in which rank x + p (y + q z) sits at (x, y, z), with MPI's Cartesian topology
/// attached (dims in MPI's order: slowest axis first).
struct Remapped {
  rt::Communicator communicator;
  Placement placement;
  Mapping mapping;
};

/// Collective over `comm`, which `topology` was discovered for. Every decision is taken from values
/// that all ranks share, or by one rank for all: searches, below a second (see choose_mapping.hpp).
/// `weights`: cost of an off-node face across each axis, for instance its
/// bytes; empty means 1. Throws an input error on all ranks if `shape` doesn't hold just all ranks.
[[nodiscard]] Remapped remap(const rt::Communicator& comm, const Topology& topology,
                             const GridShape& shape, Strategy strategy = Strategy::automatic,
                             const std::vector<double>& weights = {});

struct CartOptions {
  Strategy strategy = Strategy::automatic;
  std::string topology = {};         ///< as for `discover`
  std::vector<double> weights = {};  ///< cost of a face across each axis, in MPI's order; empty: 1
};

/// Drop-in for MPI_Cart_create(reorder = 1), with dims in MPI's order (last axis fastest):
/// MPI_Cart_* functions work on the result. Ranks beyond the product of `dims` get an empty
/// communicator.
[[nodiscard]] rt::Communicator cart_create(const rt::Communicator& comm, std::vector<int> dims,
                                           std::vector<bool> periodic,
                                           const CartOptions& options = {});

}  // namespace cartwright::mapping
