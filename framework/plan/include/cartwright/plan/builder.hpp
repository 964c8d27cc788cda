// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

namespace cartwright::plan {

/// Writes the schedule of one rank.
///
///     Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
///     build.copy(build.input(0), build.output(0));
///     for (int distance = 1; distance < team.ranks; distance *= 2) {
///       const int peer = team.me ^ distance;
///       build.send(peer, build.output(0));
///       build.receive_combine(peer, build.output(0), build.output(0), side);
///       build.next_round();
///     }
///     return std::move(build).finish();
///
/// What must come before what follows from the slices (see dependencies.hpp); message numbers
/// follow from the order of the messages of each pair of ranks. All that an algorithm has to see
/// to: every rank counts the same rounds; no message is sent in a later round than it is received
/// in; in a round a rank sends before it receives.
class Builder {
 public:
  struct Shape {
    int blocks = 1;
    Extent input{};   ///< the blocks that the caller's contribution holds on this rank
    Extent output{};  ///< the blocks of the result on this rank
    bool signals = false;
  };

  Builder(Team team, Shape shape);

  [[nodiscard]] const Team& team() const { return schedule_.team_; }
  [[nodiscard]] int blocks() const { return schedule_.blocks_; }
  [[nodiscard]] int round() const { return round_; }

  /// Blocks of the contribution. In place they lie in the output.
  [[nodiscard]] Slice input(int first, int count = 1) const;
  /// Blocks of the result.
  [[nodiscard]] Slice output(int first, int count = 1) const {
    return {Buffer::output, first, count};
  }
  /// A new scratch buffer that holds these blocks, in ring order.
  Buffer scratch(int first, int count = 1);

  void send(int to, Slice source);
  void receive(int from, Slice target);
  /// target = received ∘ source (received on the left), or source ∘ received.
  void receive_combine(int from, Side received, Slice source, Slice target);
  /// target = left ∘ right. The target may be one of the operands.
  void combine(Slice left, Slice right, Slice target);
  /// Nothing is written when both are the same slice, as happens in place.
  void copy(Slice source, Slice target);

  /// Room for that many steps.
  void reserve(std::size_t steps) { schedule_.steps_.reserve(steps); }

  /// Later steps belong to the next round. Ranks that do nothing in a round call it too.
  void next_round() { ++round_; }
  /// Later steps belong to this round. Pipelines jump back and forth; `finish` sorts the steps by
  /// round, and within a round they stay in the order in which they were written.
  void set_round(int round) { round_ = round; }

  /// `rounds` of the whole operation, where the rounds counted by this rank don't say it.
  Schedule finish(int rounds) &&;
  Schedule finish() && { return std::move(*this).finish(round_); }

 private:
  Step& add(StepKind kind, int count);

  Schedule schedule_;
  int round_ = 0;
};

}  // namespace cartwright::plan
