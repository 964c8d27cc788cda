// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/node_map.hpp>
#include <cstdint>
#include <vector>

namespace cartwright::mapping {

/// How hard and how hot to search. Work is counted in proposals, never in seconds, so that every
/// rank comes to the same answer.
struct Annealing {
  std::uint64_t seed = 1;
  long long proposals = 1'000'000;
  double hottest = 0.5;  ///< temperature at the start, in faces of the mean weight
  double coldest = 0.12;
  double bound = 0.0;  ///< stop when the weighted sum of faces comes down to this
};

/// A bounded, deterministic local search: positions at the edge of a node move over to the node
/// next to them, at falling temperature; a node that is too large or too small pays for it, and
/// what is left of that in the end is carried along the cheapest way from node to node. Returns the
/// best map found (node of each position) in which each node has as many positions as in `start`;
/// never one that costs more. Equal programs come to equal answers on every rank.
[[nodiscard]] std::vector<int> anneal(const FaceTable& faces, std::vector<int> start,
                                      int node_count, const Annealing& how);

}  // namespace cartwright::mapping
