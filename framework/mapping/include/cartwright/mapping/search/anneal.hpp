// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/node_map.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace cartwright::mapping {

/// What is to become small besides the sum of faces: those of the busiest node, and so the time of
/// a halo exchange. A maximum can't be walked down, since most moves leave it as it is; the sum
/// over all nodes of a power of their faces can.
struct Slowest {
  double share = 0.8;       ///< of that sum in what is walked down; the rest is the sum of faces
  int squarings = 3;        ///< the power is 2^squarings
  double most_faces = 0.0;  ///< maps with a larger (weighted) sum of faces aren't kept
};

/// How hard and how hot to search. Work is counted in proposals, never in seconds, so that it comes
/// to the same answer everywhere.
struct Annealing {
  std::uint64_t seed = 1;
  long long proposals = 1'000'000;
  double hottest = 0.5;  ///< temperature at the start, in faces of the mean weight
  double coldest = 0.12;
  double bound = 0.0;  ///< stop when the weighted sum of faces (or Jmax) comes down to this
  std::optional<Slowest> slowest = {};  ///< none: only the sum of faces counts
};

/// A bounded, deterministic local search: positions at the edge of a node move over to the node
/// next to them, at falling temperature; a node that is too large or too small pays for it, and
/// what is left of that in the end is carried along the cheapest way from node to node. Returns the
/// best map found (node of each position) in which each node has as many positions as in `start`:
/// that with the smallest sum of faces or, with `slowest`, the one whose busiest node has the
/// fewest, then that with the smallest sum; `start` where nothing is better.
[[nodiscard]] std::vector<int> anneal(const FaceTable& faces, std::vector<int> start,
                                      int node_count, const Annealing& how);

}  // namespace cartwright::mapping
