// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/scan.hpp>

#include "powers_of_two.hpp"
#include "running_value.hpp"

#include <utility>

namespace cartwright::plan {

namespace {

Builder scan_builder(Team team) {
  return {team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}}};
}

}  // namespace

namespace scan {

Schedule linear(Team team) {
  Builder build = scan_builder(team);
  const Slice result = build.output(0);
  Slice value = build.input(0);
  if (team.me == 0) {
    build.copy(value, result);
  } else {
    build.set_round(team.me - 1);
    build.receive_combine(team.me - 1, Side::left, value, result);
    value = result;
  }
  build.set_round(team.me);
  if (team.me + 1 < team.ranks) build.send(team.me + 1, value);
  return std::move(build).finish(team.ranks - 1);
}

Schedule recursive_doubling(Team team) {
  Builder build = scan_builder(team);
  RunningValue value(build, doublings(team.me + 1));
  if (team.me == 0) build.copy(value.now(), build.output(0));
  for (int distance = 1; distance < team.ranks; distance *= 2) {
    if (team.me + distance < team.ranks) build.send(team.me + distance, value.now());
    if (team.me >= distance) {
      build.receive_combine(team.me - distance, Side::left, value.now(), value.next());
      value.advance();
    }
    build.next_round();
  }
  return std::move(build).finish();
}

}  // namespace scan

namespace exscan {

Schedule linear(Team team) {
  Builder build = scan_builder(team);
  const Slice own = build.input(0);
  const bool last = team.me + 1 == team.ranks;
  if (team.me == 0) {
    if (!last) build.send(1, own);
    return std::move(build).finish(team.ranks - 1);
  }
  // In place the output holds the contribution until it has been combined.
  const bool keeps = own.buffer == Buffer::output && !last;
  const Slice before = keeps ? Slice{build.scratch(0), 0, 1} : build.output(0);
  build.set_round(team.me - 1);
  build.receive(team.me - 1, before);
  if (!last) {
    const Slice all{build.scratch(0), 0, 1};
    build.combine(before, own, all);
    build.set_round(team.me);
    build.send(team.me + 1, all);
    build.copy(before, build.output(0));
  }
  return std::move(build).finish(team.ranks - 1);
}

Schedule recursive_doubling(Team team) {
  Builder build = scan_builder(team);
  const Slice result = build.output(0);
  Slice with_me = build.input(0);  // what is sent on
  Slice before_me = result;        // the same without this rank
  Slice spare;
  for (int distance = 1; distance < team.ranks; distance *= 2) {
    if (team.me + distance < team.ranks) build.send(team.me + distance, with_me);
    if (team.me >= distance) {
      const bool sends_again = team.me + 2 * distance < team.ranks;
      if (distance == 1) {
        // In place the output holds the contribution until it has been combined.
        if (sends_again && with_me == result) before_me = {build.scratch(0), 0, 1};
        build.receive(team.me - 1, before_me);
        if (sends_again) {
          const Slice sum{build.scratch(0), 0, 1};
          build.combine(before_me, with_me, sum);
          with_me = sum;
          build.copy(before_me, result);
          before_me = result;
        }
      } else if (sends_again) {
        if (spare.count == 0) spare = {build.scratch(0), 0, 1};
        const Slice received{build.scratch(0), 0, 1};
        build.receive(team.me - distance, received);
        build.combine(received, before_me, result);
        build.combine(received, with_me, spare);
        std::swap(with_me, spare);
      } else {
        build.receive_combine(team.me - distance, Side::left, before_me, result);
      }
    }
    build.next_round();
  }
  return std::move(build).finish();
}

}  // namespace exscan

}  // namespace cartwright::plan
