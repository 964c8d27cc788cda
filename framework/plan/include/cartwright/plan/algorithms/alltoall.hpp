// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

/// Every rank has a block for each rank. Block i of the input goes to rank i, block i of the output
/// comes from rank i. P: ranks.
namespace cartwright::plan::alltoall {

/// In round t = 1 … P - 1 a rank sends to the one t above and receives from the one t below.
/// Blocks may have different lengths, the input may be cut differently from the output (alltoallv;
/// scratch memory, which only an operation in place has, is cut as the input).
Schedule pairwise(Team team);

/// As pairwise, but all is sent before anything is awaited: one round.
Schedule linear(Team team);

/// Blocks of the same length only. ceil(log2 P) rounds of a message with up to P / 2 blocks: in the
/// round of distance d go all blocks d up whose way is an odd multiple of d, once rounded down.
/// Packed and unpacked by copies. Bruck et al. 1997.
Schedule bruck(Team team);

}  // namespace cartwright::plan::alltoall
