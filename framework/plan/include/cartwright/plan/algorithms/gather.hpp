// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/tree.hpp>
#include <cartwright/plan/schedule.hpp>

/// Block i of the root's output comes from rank i. Each is the scatter of the same name with its
/// rounds reversed, with the same messages and scratch memory. Blocks may have any lengths
/// (MPI_Gatherv), also none. The root receives around its own block and never writes it, so that in
/// place costs nothing. Any P, any root.
namespace cartwright::plan::gather {

/// Everyone sends to the root. One round. (Viertel 2007, section 5.3)
Schedule linear(Team team, Root root);

/// ceil(log2 P) rounds. (Viertel 2007, section 5.3)
Schedule recursive_splitting(Team team, Root root);

/// ceil(log_(k + 1) P) rounds; every holder receives from k ranks in each. (Viertel 2007, section
/// 5.3)
Schedule n_way_binomial(Team team, Root root, int k);

/// Joins as the table splits. (Viertel 2007, section 5.3)
Schedule optimal(Team team, Root root, const SplitTable& table);

}  // namespace cartwright::plan::gather
