// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/models/time.hpp>

#include <span>

namespace cartwright::plan {

/// What the busiest rank does in a number of equal rounds of an algorithm: enough to cost it
/// without its schedules.
struct RoundShape {
  Count times = 1;     ///< equal rounds, one after the other
  int sends = 1;       ///< messages, back to back
  int receives = 1;    ///< messages that are waited for before the next round
  Count bytes = 0;     ///< of each message
  Count distance = 1;  ///< between the ranks of a message
  Count span = 0;      ///< the messages stay within aligned groups of so many ranks; 0: they don't
  bool overlapped =
      false;  ///< the messages of a pipeline: they don't wait for those of the round before
  Count combined = 0;  ///< bytes that are combined afterwards
  Count copies = 0;    ///< steps that copy
  Count copied = 0;    ///< bytes that are copied
};

/// Time of these rounds, one after the other, on ranks that fill the machine in order. Exact where
/// all ranks do the same and pairs of one round part at the same level; otherwise an estimate from
/// the busiest rank, with messages that leave a unit sharing what it has (channel balance; Karlsson
/// 2012, repaired).
Picoseconds time_of(const Machine& machine, int ranks, std::span<const RoundShape> rounds);

/// Time for which sends and receives of a round keep the processor or the port, whichever is
/// longer: what a round of a full pipeline takes.
Picoseconds occupation_time(const Network& network, int ports, int sends, int receives, Count bytes,
                            double byte_time, Picoseconds combining);

/// Time from the first of `sends` messages sent back to back until a rank that waits for `receives`
/// such messages has taken the last.
Picoseconds burst_time(const Network& network, int ports, int sends, int receives, Count bytes,
                       double byte_time);

}  // namespace cartwright::plan
