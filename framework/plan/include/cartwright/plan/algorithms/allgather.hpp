// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <cstdint>

/// Every rank contributes a block, all get all blocks in rank order. Blocks are ranks; they may
/// have different lengths (allgatherv). P: ranks.
namespace cartwright::plan::allgather {

/// Blocks travel round the ring, each rank passing on what it got last. P - 1 rounds of a message
/// with a block. Viertel 2007, 5.3 (A1).
Schedule ring(Team team);

/// Modified ring: each rank sends its own block to every other, nearest first, and waits for
/// nothing before. One round, P - 1 messages with a block. Viertel 2007 (A2).
Schedule direct(Team team);

/// Neighbours exchange what they got last, left and right in turn. P / 2 rounds of a message with
/// two blocks, the first with one. With an odd P: the ring. Viertel 2007 (A3), after Chen et al.
Schedule neighbour_exchange(Team team);

/// Partners at distances 1, 2, 4 … exchange all that they have. log2 P rounds. Of 2^q + e ranks, e
/// give their block to a neighbour first and get all P blocks from it last: q + 2 rounds.
/// Viertel 2007 (A4).
Schedule recursive_doubling(Team team);

/// How Bruck's last round, in which less than all that a rank holds is needed, is shared by the
/// ports.
enum class LastRound : std::uint8_t {
  greedy,   ///< as few messages as can be
  balanced  ///< messages as even as can be: the longest one is as short as can be
};

/// Bruck's algorithm with k ports: in each round a rank gets k messages with as many blocks each as
/// it holds. ceil(log_(k+1) P) rounds, P - 1 blocks received. All data pass through a work array
/// that begins with the rank's own block, and are copied to the result in two pieces.
/// Bruck et al. 1997; Viertel 2007 (A5).
Schedule bruck(Team team, int ports = 1, LastRound last = LastRound::greedy);

/// Bruck's algorithm with one port towards higher ranks, straight into the result: nothing is
/// copied, but what wraps round the end is sent as two messages. ceil(log2 P) rounds.
/// Viertel 2007 (A6).
Schedule dissemination(Team team);

/// Far partners first, so that the later and longer messages go to near ones: at distances d = …,
/// 4, 2, 1 each rank sends every block that it holds to the rank d above. ceil(log2 P) rounds, P -
/// 1 messages of a block, straight into the result; any P. After Loch and Koslovski 2021 (sparbit).
Schedule sparbit(Team team);

}  // namespace cartwright::plan::allgather
