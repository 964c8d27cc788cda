// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <span>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// What `choose_mapping` works with.
struct MappingRequest {
  GridShape shape;
  std::vector<int> node_sizes;       ///< ranks on each node; they add up to the positions
  std::vector<double> weights = {};  ///< bytes (or any cost) of a face across each axis; empty: 1
  /// How much to search after all strategies were tried: 0 = not at all, 1 = less than a second up
  /// to 8192 positions.
  double effort = 1.0;
};

/// One way to lay a grid on the nodes.
struct MappingCandidate {
  std::string name;  ///< "tiles of 4 x 2", "strips along y, 2 wide", "hyperplanes", …
  NodeMap map;
  double cost = 0.0;     ///< Jsum, weighted
  double busiest = 0.0;  ///< Jmax, weighted
};

/// Grids with more positions are not searched: tiles and strips need no table.
inline constexpr long long largest_search = 32'768;

/// Every strategy once: ranks in order, tile, strips, hyperplanes, k-d tree, Hilbert's curve,
/// bricks; of strips and bricks the best. The identity comes first.
[[nodiscard]] std::vector<MappingCandidate> mapping_portfolio(const MappingRequest& request);

/// The fewest faces between nodes that a bounded search finds, from the best strategies on; it
/// stops at the lower bound. Of equal costs the one with the less busy busiest node, then the
/// first.
[[nodiscard]] MappingCandidate fewest_faces(const MappingRequest& request);

/// Times follow the busiest node: for it a mapping may have so many times the fewest faces in all.
inline constexpr double most_more_faces = 1.03;

/// The mapping whose busiest node has the fewest faces, and so the quickest halo exchange, of those
/// with at most `most_more_faces` times those of `fewest_faces`, by a bounded search from the best
/// strategies on. Then the one with the fewest in all, then the first: ranks keep their order
/// where nothing is gained, and where no such mapping has a less busy busiest node. Where the
/// fewest faces are at their lower bound (mostly tiles) there is no further search. Pure and
/// deterministic.
[[nodiscard]] MappingCandidate choose_mapping(const MappingRequest& request);

}  // namespace cartwright::mapping
