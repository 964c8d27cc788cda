// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/core_groups.hpp>
#include <cartwright/mapping/probe/cost_matrix.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace cartwright::validation {

using namespace mapping;

// Re-mapping vectors for binomial trees on one node: entry j is the old rank that becomes rank j
// (Karlsson 2012, chapter 4, repaired). Step t = 1, 2, … of the tree has 2^(t-1) messages, the
// first ones the longest. Any number of cores; O(cores^2).

/// Fastest Edge First: every parent takes the free core that it reaches fastest, the lowest of
/// equal ones. Dear edges are left to the last step, whose messages are shortest.
[[nodiscard]] std::vector<int> fastest_edge_first(const CostMatrix& costs, int root = 0);

/// Channel-Aware Ordering: the tree crosses between groups in the one step that has as many
/// messages as the node has `channels` between groups (rounded down to a power of two); in other
/// steps it stays inside as long as cores are left there. One group: ranks keep their order.
[[nodiscard]] std::vector<int> channel_aware_order(const CostMatrix& costs,
                                                   const CoreGroups& groups, double channels,
                                                   int root = 0);

/// Shuffled by Fisher and Yates, the root first: the control of every comparison.
[[nodiscard]] std::vector<int> random_order(int cores, std::uint64_t seed, int root = 0);

/// Messages of each step of the tree that lead from group to group.
[[nodiscard]] std::vector<int> crossings_by_step(std::span<const int> order,
                                                 const CoreGroups& groups);

/// Collective: the communicator in which `order[j]` of `comm` has rank j. All ranks give the same
/// order. Throws an input error on all ranks if it is no permutation.
[[nodiscard]] rt::Communicator reordered(const rt::Communicator& comm, std::span<const int> order);

}  // namespace cartwright::validation
