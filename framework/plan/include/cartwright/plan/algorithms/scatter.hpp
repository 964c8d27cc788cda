// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/tree.hpp>
#include <cartwright/plan/schedule.hpp>

/// Block i of the root's input goes to rank i. Blocks may have any lengths (MPI_Scatterv), also
/// none. In place the root leaves its own block where it is. P - 1 messages, any P, any root. In
/// trees interior ranks receive the blocks of their subtree into scratch memory, in rank order, and
/// pass parts on straight from it; the root and the leaves need no scratch memory.
namespace cartwright::plan::scatter {

/// The root sends to each, in rank order. One round. (Viertel 2007, section 5.2.1)
Schedule linear(Team team, Root root);

/// Ranges of ranks are halved; ceil(log2 P) rounds, at most ceil(P / 2) blocks of scratch memory.
/// The same as n_way_binomial with k = 1. (Viertel 2007, section 5.2.2)
Schedule recursive_splitting(Team team, Root root);

/// Every holder serves k ranks a round: ceil(log_(k + 1) P) rounds, at most ceil(P / (k + 1))
/// blocks of scratch memory. See n_way_tree. (Viertel 2007, section 5.2.3)
Schedule n_way_binomial(Team team, Root root, int k);

/// Splits as the table says; table.rounds(P) rounds, or more for a root in the middle where
/// L' < g. See split_tree. (Viertel 2007, section 5.2.2)
Schedule optimal(Team team, Root root, const SplitTable& table);

}  // namespace cartwright::plan::scatter
