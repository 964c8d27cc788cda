// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/builder.hpp>
#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include <functional>
#include <span>
#include <vector>

namespace cartwright::plan {

/// How the schedule of some ranks lies in that of all: its ranks, blocks and buffers.
struct Embedding {
  std::function<int(int)> rank;  ///< of the whole, by rank of the part
  /// Block b of the part is the blocks [begin(b), begin(b + 1)) of the whole, for b = 0 … blocks of
  /// the part; not descending, and in ring order: numbers may pass the last block of the whole, if
  /// no slice of input or output does.
  std::function<int(int)> begin;
  Buffer input = Buffer::input;    ///< in which the part finds its input
  Buffer output = Buffer::output;  ///< and leaves its output
};

/// Ranks first, first + stride, …
std::function<int(int)> ranks_from(int first, int stride = 1);
std::function<int(int)> ranks_listed(std::vector<int> ranks);
/// Each block of the part is one of the whole, from `first` on.
std::function<int(int)> blocks_from(int first);
/// All blocks of the whole, shared out among those of the part as evenly as can be.
std::function<int(int)> blocks_shared(int part_blocks, int whole_blocks);

/// Glues schedules of parts of the ranks into the schedule of one rank: one after the other, or, of
/// disjoint groups of ranks, beside each other in the same rounds.
///
///     Sequence whole(team, {.blocks = 1, .output = {0, 1}});
///     if (leads) whole.add(broadcast among the leaders, …);
///     whole.next(rounds of that);
///     whole.add(broadcast in my group, …);
///     whole.next(most rounds of all groups);
///     return std::move(whole).finish();
///
/// Parts whose own buffers are the same memory are made for Place::in_place. The messages of a part
/// must not depend on its place, which may differ from rank to rank.
///
/// A part whose blocks aren't all blocks of the whole, and that reaches round its end in scratch
/// memory, gets two messages for one; both ends of its messages must name the same blocks.
///
/// Schedules of signals have one scratch buffer, as those of algorithms/barrier.hpp. They share
/// block 0; block b > 0 of a part is begin(0) + b of the whole. What they send stands behind all
/// signals that came before, in earlier parts too.
///
/// Nothing can deadlock, if nothing could in the parts: a rank does the steps of a part before
/// those of the next one, and what it does in a part waits for that part only. So the first part
/// ends on all ranks, then the second, and so on. (What a later step overwrites may still be on its
/// way; but the receive that it waits for belongs to an earlier part, which ends.)
class Sequence {
 public:
  Sequence(Team team, Builder::Shape shape);

  /// Scratch buffers and steps between parts.
  Builder& builder() { return build_; }
  /// What this rank does in a part.
  void add(const Schedule& part, const Embedding& embedding);
  /// What is added from now on comes that many rounds later. Every rank counts the rounds of every
  /// part, also of those in which it isn't.
  void next(int rounds);
  Schedule finish() &&;

 private:
  void add_signals(const Schedule& part, const Embedding& embedding);

  Builder build_;
  bool signals_;
  Buffer tokens_ = Buffer::scratch;
  int rounds_ = 0;
};

/// Several independent operations of one team as one, merged round by round: in each round all
/// parts send before the first one receives. Parts are all in place or all not, and all of data or
/// all of signals. The whole has the inputs of its parts in one buffer, one behind the other, and
/// so the outputs; see SideBySideLayout. Messages are numbered part by part, those of part 0 first,
/// which needn't be the order in which they are sent.
///
/// Block b of a part is the blocks b and B + b, behind 2 B blocks for each earlier part of B
/// blocks: unrolled like this no slice reaches round the end of its part.
///
/// Nothing can deadlock, if nothing could in the parts and messages are received in the round in
/// which they are sent: sends of a round wait at most for sends of earlier rounds, so every rank
/// sends all of its round; the rest of the round is a sequence of parts.
///
/// Throws std::invalid_argument when the teams differ. A part whose output begins with data and
/// that has no input (a broadcast) goes with parts that have one only in place.
Schedule side_by_side(std::span<const Schedule> parts);

/// How long the blocks of a merged schedule are on one rank.
class SideBySideLayout {
 public:
  /// Lengths in the same rank's parts. Blocks that a buffer of a part hasn't get none there.
  SideBySideLayout(std::span<const Schedule> parts, std::span<const Layout> layouts);
  /// Valid as long as this is.
  [[nodiscard]] Layout layout() const {
    return {Cuts::at(input_), Cuts::at(output_), Cuts::at(scratch_)};
  }

 private:
  std::vector<Count> input_{0};
  std::vector<Count> output_{0};
  std::vector<Count> scratch_{0};
};

}  // namespace cartwright::plan
