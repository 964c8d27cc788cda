// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

/// Of the combination of all contributions, rank i gets block i. Blocks = ranks = P; they may have
/// different lengths. K is the largest power of two up to P.
namespace cartwright::plan::reduce_scatter {

/// Exchanges halves of what is left with ranks at half the distance of the round before, on K
/// ranks; of the first 2 (P - K) ranks each even one folds into its neighbour before, and gets its
/// block after. log2 K rounds, and two more when P != K; K log2 K + 2 (P - K) messages.
/// Commutative operators only. (Thakur, Rabenseifner and Gropp 2005)
Schedule recursive_halving(Team team);

/// Each block goes once around the ring and ends at its rank. P - 1 rounds, in each of which a rank
/// sends one block. Commutative operators only. (Patarasuk and Yuan 2009)
Schedule ring(Team team);

/// Each rank sends each other one its block, in round k to the k-th behind it. P - 1 rounds and
/// messages a rank. Any operator: what comes from ranks before and from ranks behind is combined
/// apart, always on the left. (Thakur, Rabenseifner and Gropp 2005)
Schedule pairwise(Team team);

/// As pairwise, but all is sent before anything is awaited, and combined in the order of ranks: one
/// round, which is quick for short blocks where ranks share cores. Any operator.
Schedule direct(Team team);

}  // namespace cartwright::plan::reduce_scatter
