// SPDX-License-Identifier: Apache-2.0
#include "in_places.hpp"

#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cartwright::plan::hierarchical {

namespace {

class Replaced {
 public:
  Replaced(Team team, const Hierarchy& hierarchy, Share input, Share output,
           const Schedule& of_place)
      : hierarchy_(&hierarchy),
        of_place_(&of_place),
        input_(input),
        output_(output),
        keeps_block_(team.place == Place::in_place && input == Share::all && output == Share::none),
        build_(team, {.blocks = of_place.blocks(),
                      .input = extent_of(input, team),
                      .output = extent_of(input == Share::all && output == Share::own &&
                                                  team.place == Place::in_place
                                              ? Share::all
                                              : output,
                                          team)}) {}

  Schedule make() && {
    const int ranks = build_.team().ranks;
    if (input_ == Share::all) {
      placed_input_ = build_.scratch(0, ranks);
      for_each_run([&](int rank, int place, int count) {
        build_.copy(build_.input(rank, count), {placed_input_, place, count});
      });
    }
    if (output_ == Share::all) placed_output_ = build_.scratch(0, ranks);
    for (int number = 0; number < of_place_->scratch_buffers(); ++number) {
      const Extent extent = of_place_->extent(buffer_at(number));
      scratch_.push_back(build_.scratch(extent.first, extent.count));
    }
    for (const Step& step : of_place_->steps()) add(step);
    build_.set_round(std::max(of_place_->rounds() - 1, 0));
    if (output_ == Share::all)
      for_each_run([&](int rank, int place, int count) {
        build_.copy({placed_output_, place, count}, build_.output(rank, count));
      });
    return std::move(build_).finish(of_place_->rounds());
  }

 private:
  static Extent extent_of(Share share, Team team) {
    if (share == Share::all) return {0, team.ranks};
    return {team.me, share == Share::own ? 1 : 0};
  }
  static Buffer buffer_at(int number) {
    return static_cast<Buffer>(static_cast<int>(Buffer::scratch) + number);
  }
  // Consecutive ranks in consecutive places.
  template <class Body>
  void for_each_run(const Body& body) const {
    const int ranks = hierarchy_->ranks();
    for (int place = 0; place < ranks;) {
      const int rank = hierarchy_->rank_at(place);
      int count = 1;
      while (place + count < ranks && hierarchy_->rank_at(place + count) == rank + count) ++count;
      body(rank, place, count);
      place += count;
    }
  }
  [[nodiscard]] Slice placed(Slice slice) const {
    const int me = build_.team().me;
    if (slice.buffer == Buffer::input)
      return input_ == Share::all ? Slice{placed_input_, slice.first, slice.count}
                                  : build_.input(me);
    if (slice.buffer == Buffer::output)
      return output_ == Share::all ? Slice{placed_output_, slice.first, slice.count}
                                   : build_.output(me);
    return {scratch_[static_cast<std::size_t>(scratch_number(slice.buffer))], slice.first,
            slice.count};
  }
  void add(const Step& step) {
    build_.set_round(step.round);
    const int peer = step.peer < 0 ? -1 : hierarchy_->rank_at(step.peer);
    switch (step.kind) {
      case StepKind::send:
        return build_.send(peer, placed(step.source()));
      case StepKind::receive:
        return build_.receive(peer, placed(step.target()));
      case StepKind::receive_combine:
        return build_.receive_combine(peer, step.received, placed(step.source()),
                                      placed(step.target()));
      case StepKind::combine:
        return build_.combine(placed(step.source()), placed(step.operand()), placed(step.target()));
      case StepKind::copy:
        if (keeps_block_ && step.target_buffer == Buffer::output) return;
        return build_.copy(placed(step.source()), placed(step.target()));
    }
  }

  const Hierarchy* hierarchy_;
  const Schedule* of_place_;
  Share input_, output_;
  bool keeps_block_;  // a root in place, which scatters all but its own
  Builder build_;
  Buffer placed_input_ = Buffer::input;
  Buffer placed_output_ = Buffer::output;
  std::vector<Buffer> scratch_;
};

}  // namespace

Schedule in_places(Team team, const Hierarchy& hierarchy, Share input, Share output,
                   const std::function<Schedule(Team, const Hierarchy&)>& by_place) {
  if (hierarchy.ranks() != team.ranks)
    throw std::invalid_argument("the groups are those of other ranks");
  const Schedule of_place =
      by_place({.ranks = team.ranks, .me = hierarchy.place_of(team.me)}, hierarchy.of_places());
  return Replaced(team, hierarchy, input, output, of_place).make();
}

}  // namespace cartwright::plan::hierarchical
