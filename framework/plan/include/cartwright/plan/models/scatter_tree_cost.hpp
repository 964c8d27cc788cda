// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/loggp_formulas.hpp>

namespace cartwright::plan::formulas {

/// What the n-way binomial tree with `fanout` children a round looks like, root 0, when a holder
/// keeps the surplus of an uneven split (Viertel 2007, 5.1.3, whose builder gives it away and so
/// breaks its own bound).
struct ScatterTreeCounts {
  int rounds = 0;
  int root_messages = 0;
  Count largest_inner = 0;  ///< blocks that an inner rank receives for itself and others, at most
  Count copied_blocks =
      0;                 ///< Σ over rounds of the largest inner rank's blocks: stored and sent on
  Count block_hops = 0;  ///< blocks times messages that carry them
};
ScatterTreeCounts scatter_tree_counts(Count ranks, int fanout);

/// When the last rank has its block in LogGP, waiting for processors and ports as they are: what
/// `LogGpScatter::n_way` bounds from above.
double n_way_scatter_end(const LogGp& model, Count ranks, Count bytes, int fanout,
                         Form form = Form::exact);

/// The time per byte of storing and forwarding at which this tree is as fast as the linear scatter:
/// without such a term LogGP's choice doesn't depend on the size. May be negative.
double copy_byte_time_of_tie(const LogGp& model, Count ranks, Count bytes, int fanout);

}  // namespace cartwright::plan::formulas
