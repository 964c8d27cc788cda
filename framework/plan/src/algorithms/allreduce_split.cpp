// SPDX-License-Identifier: Apache-2.0
// Allreduce that splits the vector: a reduce-scatter with groups of factors, and an allgather.
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/builder.hpp>

#include "check_factors.hpp"
#include "powers_of_two.hpp"
#include "rank_layout.hpp"

#include <utility>
#include <vector>

namespace cartwright::plan::allreduce {

namespace {

/// Writes the schedule of one rank of a core of as many ranks as there are blocks.
class SplitWriter {
 public:
  /// Pairs of ranks fold where the collapse says so.
  SplitWriter(Team team, Collapse collapse, std::span<const int> factors, int core)
      : collapse_(collapse),
        factors_(factors),
        core_(core),
        index_(collapse.number(team.me)),
        build_(team, {.blocks = core, .input = {0, core}, .output = {0, core}}),
        value_(build_.input(0).buffer) {}

  Schedule write() && {
    const int me = build_.team().me;
    const bool folds = collapse_.folds(me);
    const Slice all = build_.output(0, core_);
    if (build_.team().ranks == 1) build_.copy(build_.input(0), all);
    if (collapse_.threshold > 0) {
      if (folds) {
        build_.send(me + 1, {value_, 0, core_});
      } else if (me < collapse_.threshold) {
        build_.receive_combine(me - 1, Side::left, {value_, 0, core_}, all);
        value_ = Buffer::output;
      }
      build_.next_round();
    }
    if (folds) {
      build_.set_round(build_.round() + 2 * static_cast<int>(factors_.size()));
    } else {
      reduce();
      gather();
    }
    if (collapse_.threshold > 0) {
      if (folds) {
        build_.receive(me + 1, all);
      } else if (me < collapse_.threshold) {
        build_.send(me - 1, all);
      }
      build_.next_round();
    }
    return std::move(build_).finish();
  }

 private:
  // This rank's group in one stage.
  struct Group {
    int first = 0;   ///< core rank of digit 0
    int stride = 1;  ///< between core ranks
    int factor = 1;
    int digit = 0;
    int blocks_from = 0;  ///< what the group works on
    int part = 0;         ///< blocks of one rank of it
  };

  [[nodiscard]] int rank_of(const Group& group, int digit) const {
    return collapse_.rank(group.first + digit * group.stride);
  }
  static Slice part(Buffer buffer, const Group& group, int digit) {
    return {buffer, group.blocks_from + digit * group.part, group.part};
  }
  // The digit of the k-th rank behind this one.
  static int behind(const Group& group, int k) {
    return group.digit + k < group.factor ? group.digit + k : group.digit + k - group.factor;
  }

  void reduce() {
    Group group{.part = core_};
    for (const int factor : factors_) {
      group.factor = factor;
      group.digit = index_ / group.stride % factor;
      group.first = index_ - group.digit * group.stride;
      group.part /= factor;
      exchange(group);
      groups_.push_back(group);
      group.blocks_from += group.digit * group.part;
      group.stride *= factor;
    }
  }

  void exchange(const Group& group) {
    for (int k = 1; k < group.factor; ++k)
      build_.send(rank_of(group, behind(group, k)), part(value_, group, behind(group, k)));
    const Slice own = part(value_, group, group.digit);
    const Slice target = part(Buffer::output, group, group.digit);
    if (group.factor == 2) {
      build_.receive_combine(rank_of(group, 1 - group.digit),
                             group.digit == 0 ? Side::right : Side::left, own, target);
    } else {
      for (int k = 1; k < group.factor; ++k) {
        const int d = behind(group, group.factor - k);
        build_.receive(rank_of(group, d), operand(group, d));
      }
      // In digit order; up to the own value in the first slot, as the output may hold that value.
      Slice sum = operand(group, 0);
      for (int d = 1; d < group.factor; ++d) {
        const Slice next = d < group.digit ? sum : target;
        build_.combine(sum, operand(group, d), next);
        sum = next;
      }
    }
    value_ = Buffer::output;
    build_.next_round();
  }

  // What a rank of the group, or this one itself, contributes to this rank's part.
  Slice operand(const Group& group, int digit) {
    Slice slice = part(value_, group, group.digit);
    if (digit == group.digit) return slice;
    const auto slot = static_cast<std::size_t>(digit < group.digit ? digit : digit - 1);
    // Later parts lie within earlier ones: slots are used again.
    while (slots_.size() <= slot) slots_.push_back(build_.scratch(slice.first, slice.count));
    slice.buffer = slots_[slot];
    return slice;
  }

  void gather() {
    for (; !groups_.empty(); groups_.pop_back()) {
      const Group& group = groups_.back();
      for (int k = 1; k < group.factor; ++k)
        build_.send(rank_of(group, behind(group, k)), part(Buffer::output, group, group.digit));
      for (int k = 1; k < group.factor; ++k) {
        const int d = behind(group, group.factor - k);
        build_.receive(rank_of(group, d), part(Buffer::output, group, d));
      }
      build_.next_round();
    }
  }

  Collapse collapse_;
  std::span<const int> factors_;
  int core_;
  int index_;
  Builder build_;
  Buffer value_;  // that holds what was reduced so far
  std::vector<Group> groups_;
  std::vector<Buffer> slots_;
};

}  // namespace

Schedule rabenseifner(Team team) {
  const int core = largest_power_of_two(team.ranks);
  return SplitWriter(team, {2 * (team.ranks - core), 2}, twos(core), core).write();
}

Schedule split_multiplying(Team team, std::span<const int> factors) {
  check_factors(team, factors);
  return SplitWriter(team, {}, factors, team.ranks).write();
}

}  // namespace cartwright::plan::allreduce
