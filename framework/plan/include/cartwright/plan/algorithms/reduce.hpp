// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/tree.hpp>
#include <cartwright/plan/schedule.hpp>

#include <span>

/// The inputs of all are combined in the output of the root. Any root; only the root has an output,
/// and in place its contribution lies there.
namespace cartwright::plan::reduce {

/// Up the aligned_tree, whole vectors: for root 0 the binomial tree. ceil(log2 P) rounds, P - 1
/// messages, one vector of scratch memory where a rank is neither root nor leaf. Any P; any
/// operator, for any root. (Marendić et al. 2016)
Schedule binomial(Team team, Root root);

/// Up the n_way_tree, whole vectors: ceil(log_(k + 1) P) rounds, P - 1 messages. Any P; any
/// operator.
Schedule n_way_binomial(Team team, Root root, int k);

/// Slices are halved between neighbours, then between ever farther ranks, and gathered the same way
/// back: radix with factors 2. With P' = 2^floor(log2 P), 2 log2 P' rounds, and one in front in
/// which P - P' ranks send theirs to a neighbour if P isn't P'. Any P; any operator.
/// (Marendić et al. 2016; Rabenseifner 2004)
Schedule butterfly(Team team, Root root);

/// P' = product of the factors blocks. In the round of a factor k, groups of k ranks, first
/// neighbours, give each other a k-th of the slice that they share, so that blocks end in
/// digit-reversed order; the slices are gathered the same way back. Two rounds for each factor;
/// every rank sends k - 1 messages in the first, and the k - 1 that aren't on the root's side one
/// each in the second. For P' < P <= 2 P', P - P' ranks send theirs to a neighbour before, in one
/// more round. Any operator. Throws std::invalid_argument where a factor is less than 2 or P is
/// out of that range. (Marendić et al. 2016)
Schedule radix(Team team, Root root, std::span<const int> factors);

/// P blocks go around a ring and are then gathered along the n_way_tree of fan-out 1:
/// P - 1 + ceil(log2 P) rounds, P messages in each of the first. Any P. Commutative operators only.
/// (Marendić et al. 2016)
Schedule ring(Team team, Root root);

/// Segments follow each other along two chains, from rank 0 up to the root and from rank P - 1 down
/// to it: one chain where the root is at an end. max(root, P - 1 - root) + segments - 1 rounds,
/// P - 1 messages for each segment. Any P; any operator, for any root. (Marendić et al. 2016, with
/// one chain)
Schedule pipeline(Team team, Root root, int segments);

}  // namespace cartwright::plan::reduce
