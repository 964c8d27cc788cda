// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/reduce_scatter.hpp>
#include <cartwright/plan/builder.hpp>

#include "powers_of_two.hpp"
#include "rank_layout.hpp"

#include <algorithm>
#include <utility>

namespace cartwright::plan::reduce_scatter {

namespace {

Builder reduce_scatter_builder(Team team) {
  const Extent all{0, team.ranks};
  const bool in_place = team.place == Place::in_place;
  return {team,
          {.blocks = team.ranks, .input = all, .output = in_place ? all : Extent{team.me, 1}}};
}

/// Writes the schedule of one rank by recursive halving.
class HalvingWriter {
 public:
  explicit HalvingWriter(Team team)
      : ranks_(team.ranks),
        me_(team.me),
        core_(largest_power_of_two(team.ranks)),
        collapse_{2 * (team.ranks - core_), 2},
        build_(reduce_scatter_builder(team)),
        value_(build_.input(0).buffer) {}

  Schedule write() && {
    const bool collapses = collapse_.threshold > 0;
    const bool pair = me_ < collapse_.threshold;
    if (ranks_ == 1) build_.copy(build_.input(0), build_.output(0));
    if (collapse_.folds(me_)) {
      build_.send(me_ + 1, {value_, 0, ranks_});
      build_.set_round(1 + doublings(core_));
      build_.receive(me_ + 1, build_.output(me_));
      return std::move(build_).finish(2 + doublings(core_));
    }
    if (pair) {
      const Buffer target = work(0, ranks_);
      build_.receive_combine(me_ - 1, Side::left, {value_, 0, ranks_}, {target, 0, ranks_});
      value_ = target;
    }
    if (collapses) build_.next_round();
    halve();
    if (pair) {
      build_.send(me_ - 1, {value_, me_ - 1, 1});
      build_.copy({value_, me_, 1}, build_.output(me_));
    }
    if (collapses) build_.next_round();
    return std::move(build_).finish();
  }

 private:
  // The first block of a core rank, and of those behind it.
  [[nodiscard]] int first_block(int index) const {
    return index + (index < collapse_.groups() ? index : collapse_.groups());
  }

  // Where blocks are reduced: the output, where it holds them.
  Buffer work(int first, int count) {
    const bool in_place = build_.team().place == Place::in_place;
    if (in_place || (count == 1 && first == me_)) return Buffer::output;
    if (work_ == Buffer::input) work_ = build_.scratch(first, count);
    return work_;
  }

  void halve() {
    const int index = collapse_.number(me_);
    int first = 0;
    for (int half = core_ / 2; half > 0; half /= 2) {
      const bool upper = index / half % 2 == 1;
      const int peer = collapse_.rank(upper ? index - half : index + half);
      const int kept = upper ? first + half : first;
      const int sent = upper ? first : first + half;
      const Slice other{value_, first_block(sent), first_block(sent + half) - first_block(sent)};
      const Slice own{value_, first_block(kept), first_block(kept + half) - first_block(kept)};
      build_.send(peer, other);
      const Buffer target = work(own.first, own.count);
      build_.receive_combine(peer, upper ? Side::left : Side::right, own,
                             {target, own.first, own.count});
      build_.next_round();
      value_ = target;
      first = kept;
    }
  }

  int ranks_;
  int me_;
  int core_;
  Collapse collapse_;
  Builder build_;
  Buffer value_;                 // that holds what was reduced so far
  Buffer work_ = Buffer::input;  // none yet
};

}  // namespace

Schedule recursive_halving(Team team) {
  return HalvingWriter(team).write();
}

Schedule ring(Team team) {
  const int ranks = team.ranks;
  const int me = team.me;
  Builder build = reduce_scatter_builder(team);
  if (ranks == 1) build.copy(build.input(0), build.output(0));
  build.reserve(2 * static_cast<std::size_t>(ranks));
  const Buffer work = team.place == Place::separate && ranks > 2
                          ? build.scratch((me + 1) % ranks, ranks - 2)
                          : Buffer::output;
  const int right = (me + 1) % ranks;
  const int left = (me + ranks - 1) % ranks;
  // A block is sent on in the round after the one in which it came.
  const auto block = [&](int round) { return (me + 2 * ranks - 1 - round) % ranks; };
  for (int round = 0; round < ranks - 1; ++round) {
    const int next = block(round + 1);
    build.send(right, round == 0 ? build.input(block(0)) : Slice{work, block(round), 1});
    build.receive_combine(left, Side::left, build.input(next),
                          next == me ? build.output(me) : Slice{work, next, 1});
    build.next_round();
  }
  return std::move(build).finish();
}

Schedule pairwise(Team team) {
  const int ranks = team.ranks;
  const int me = team.me;
  Builder build = reduce_scatter_builder(team);
  build.reserve(2 * static_cast<std::size_t>(ranks));
  const Slice result = build.output(me);
  Slice before = build.input(me);  // this rank and those before it
  Slice behind = before;           // those behind it
  for (int k = 1; k < ranks; ++k) {
    const int to = (me + k) % ranks;
    const int from = (me + ranks - k) % ranks;
    build.send(to, build.input(to));
    if (k <= me) {
      build.receive_combine(from, Side::left, before, result);
      before = result;
    } else if (behind == build.input(me)) {
      behind = {build.scratch(me), me, 1};
      build.receive(from, behind);
    } else {
      build.receive_combine(from, Side::left, behind, behind);
    }
    if (k + 1 < ranks) build.next_round();
  }
  if (behind == build.input(me)) {
    build.copy(before, result);
  } else {
    build.combine(before, behind, result);
  }
  return std::move(build).finish(ranks - 1);
}

Schedule direct(Team team) {
  Builder build = reduce_scatter_builder(team);
  const auto [ranks, me, place] = team;
  build.reserve(2 * static_cast<std::size_t>(ranks));
  if (ranks == 1) build.copy(build.input(0), build.output(0));
  for (int t = 1; t < ranks; ++t) {
    const int to = (me + t) % ranks;
    build.send(to, build.input(to));
  }
  // In place, this rank's own block stays where the result will be until it has been combined.
  const Slice own = build.input(me);
  Slice before = build.output(me);
  if (place == Place::in_place && me > 0) before = {build.scratch(me), me, 1};
  if (me > 0) build.receive(0, before);
  for (int from = 1; from < me; ++from) build.receive_combine(from, Side::right, before, before);
  if (me > 0)
    build.combine(before, own, build.output(me));
  else if (ranks > 1)
    build.receive_combine(1, Side::right, own, build.output(me));
  for (int from = std::max(me + 1, me > 0 ? 0 : 2); from < ranks; ++from)
    build.receive_combine(from, Side::right, build.output(me), build.output(me));
  return std::move(build).finish(1);
}

}  // namespace cartwright::plan::reduce_scatter
