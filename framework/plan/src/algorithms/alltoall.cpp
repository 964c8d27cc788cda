// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/alltoall.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>

namespace cartwright::plan::alltoall {

namespace {

Builder alltoall_builder(Team team) {
  return {team, {.blocks = team.ranks, .input = {0, team.ranks}, .output = {0, team.ranks}}};
}

int below(Team team, int distance) {
  return team.me < distance ? team.me - distance + team.ranks : team.me - distance;
}

int above(Team team, int distance) {
  return (team.me + distance) % team.ranks;
}

// Where blocks wait to be sent: in place, the output is overwritten while they do.
Buffer kept_input(Builder& build) {
  const int ranks = build.team().ranks;
  if (build.team().place == Place::separate || ranks == 1) return build.input(0).buffer;
  const Buffer kept = build.scratch(0, ranks);
  build.copy(build.output(0, ranks), {kept, 0, ranks});
  return kept;
}

}  // namespace

Schedule pairwise(Team team) {
  Builder build = alltoall_builder(team);
  build.reserve(2 * static_cast<std::size_t>(team.ranks));
  const Buffer source = kept_input(build);
  for (int t = 1; t < team.ranks; ++t, build.next_round()) {
    build.send(above(team, t), {source, above(team, t), 1});
    if (t == 1) build.copy(build.input(team.me), build.output(team.me));
    build.receive(below(team, t), build.output(below(team, t)));
  }
  if (team.ranks == 1) build.copy(build.input(0), build.output(0));
  return std::move(build).finish();
}

Schedule linear(Team team) {
  Builder build = alltoall_builder(team);
  build.reserve(2 * static_cast<std::size_t>(team.ranks));
  const Buffer source = kept_input(build);
  for (int t = 1; t < team.ranks; ++t) build.send(above(team, t), {source, above(team, t), 1});
  build.copy(build.input(team.me), build.output(team.me));
  for (int t = 1; t < team.ranks; ++t) build.receive(below(team, t), build.output(below(team, t)));
  return std::move(build).finish(1);
}

namespace {

// Slot j of a rank is the block that travels j ranks in all. Bit i of j says whether it travels in
// round i: before its first trip it lies in the input, after its last in the output, in between in
// the work array.
class BruckAlltoall {
 public:
  explicit BruckAlltoall(Team team) : team_(team), build_(alltoall_builder(team)) {}

  Schedule make() && {
    const int ranks = team_.ranks;
    build_.copy(build_.input(team_.me), build_.output(team_.me));
    if (ranks == 1) return std::move(build_).finish();
    work_ = build_.scratch(0, ranks);
    packed_ = build_.scratch(0, ranks / 2);
    arrived_ = build_.scratch(0, ranks / 2);
    // In place, the output is overwritten before all of it has left.
    if (team_.place == Place::in_place) {
      build_.copy(build_.output(team_.me, ranks - team_.me), {work_, 0, ranks - team_.me});
      build_.copy(build_.output(0, team_.me), {work_, ranks - team_.me, team_.me});
    }
    for (int distance = 1; distance < ranks; distance *= 2, build_.next_round()) {
      const int blocks = pack(distance);
      build_.send(above(team_, distance), {packed_, 0, blocks});
      build_.receive(below(team_, distance), {arrived_, 0, blocks});
      unpack(distance);
    }
    return std::move(build_).finish();
  }

 private:
  int pack(int distance) {
    int packed = 0;
    for (int j = distance; j < team_.ranks; j += 2 * distance) {
      const int run = std::min(distance, team_.ranks - j);
      if (team_.place == Place::in_place) {
        build_.copy({work_, j, run}, {packed_, packed, run});
      } else {
        build_.copy(build_.input(above(team_, j)), {packed_, packed, 1});
        build_.copy({work_, j + 1, run - 1}, {packed_, packed + 1, run - 1});
      }
      packed += run;
    }
    return packed;
  }

  void unpack(int distance) {
    const int last = std::min(2 * distance, team_.ranks);
    int packed = 0;
    for (int j = distance; j < last; ++j)
      build_.copy({arrived_, packed++, 1}, build_.output(below(team_, j)));
    for (int j = 3 * distance; j < team_.ranks; j += 2 * distance) {
      const int run = std::min(distance, team_.ranks - j);
      build_.copy({arrived_, packed, run}, {work_, j, run});
      packed += run;
    }
  }

  Team team_;
  Builder build_;
  Buffer work_ = Buffer::scratch;
  Buffer packed_ = Buffer::scratch;
  Buffer arrived_ = Buffer::scratch;
};

}  // namespace

Schedule bruck(Team team) {
  return BruckAlltoall(team).make();
}

}  // namespace cartwright::plan::alltoall
