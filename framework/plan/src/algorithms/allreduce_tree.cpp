// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/builder.hpp>

#include "powers_of_two.hpp"

#include <utility>

namespace cartwright::plan::allreduce {

Schedule fan_in_fan_out(Team team) {
  Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  const Slice result = build.output(0);
  const int levels = doublings(team.ranks);
  Slice value = build.input(0);
  int level = 0;  // this rank stands for 2^level ranks, from itself on
  for (; level < levels && (team.me >> level) % 2 == 0; ++level) {
    build.set_round(level);
    const int from = team.me + (1 << level);
    if (from >= team.ranks) continue;
    build.receive_combine(from, Side::right, value, result);
    value = result;
  }
  if (team.me > 0) {
    const int parent = team.me - (1 << level);
    build.set_round(level);
    build.send(parent, value);
    build.set_round(2 * levels - 1 - level);
    build.receive(parent, result);
  } else {
    build.copy(value, result);
  }
  while (--level >= 0) {
    build.set_round(2 * levels - 1 - level);
    if (team.me + (1 << level) < team.ranks) build.send(team.me + (1 << level), result);
  }
  return std::move(build).finish(2 * levels);
}

Schedule star(Team team) {
  Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  const Slice result = build.output(0);
  Slice value = build.input(0);
  if (team.me > 0) {
    build.send(0, value);
    build.next_round();
    build.receive(0, result);
    build.next_round();
    return std::move(build).finish();
  }
  for (int rank = 1; rank < team.ranks; ++rank) {
    build.receive_combine(rank, Side::right, value, result);
    value = result;
  }
  if (team.ranks == 1) build.copy(value, result);
  build.next_round();
  for (int rank = 1; rank < team.ranks; ++rank) build.send(rank, result);
  build.next_round();
  return std::move(build).finish();
}

}  // namespace cartwright::plan::allreduce
