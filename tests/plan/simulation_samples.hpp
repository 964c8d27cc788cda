// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/builder.hpp>

#include <utility>
#include <vector>

namespace cartwright::plan::samples {

/// Schedules written out for the tests of the simulator, as short as can be.

/// Allreduce: factor stages in which members of a group send to each other in rotated order, and
/// then combine in the order of their digits. The product of the factors is the number of ranks.
inline Schedule factors(Team team, const std::vector<int>& stages) {
  Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  build.copy(build.input(0), build.output(0));
  int mask = 1;
  for (const int f : stages) {
    const int base = mask * f;
    const int low = team.me / base * base + team.me % mask;
    const int mine = team.me / mask % f;
    for (int k = 1; k < f; ++k) build.send(low + (mine + k) % f * mask, build.output(0));
    std::vector<Slice> slots;
    for (int d = 0; d < f; ++d) {
      if (d == mine) {
        slots.push_back(build.output(0));
        continue;
      }
      slots.push_back({build.scratch(0), 0, 1});
      build.receive(low + d * mask, slots.back());
    }
    for (int d = 1; d < f; ++d)
      build.combine(d == 1 ? slots[0] : build.output(0), slots[static_cast<std::size_t>(d)],
                    build.output(0));
    mask = base;
    build.next_round();
  }
  return std::move(build).finish();
}

/// Allreduce by recursive doubling of a power of two of ranks: four steps a round would be three,
/// were the received data not combined as they come.
inline Schedule recursive_doubling(Team team) {
  Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  build.copy(build.input(0), build.output(0));
  for (int distance = 1; distance < team.ranks; distance *= 2) {
    const int peer = team.me ^ distance;
    const Side side = peer < team.me ? Side::left : Side::right;
    build.send(peer, build.output(0));
    build.receive_combine(peer, side, build.output(0), build.output(0));
    build.next_round();
  }
  return std::move(build).finish();
}

/// Allgather round a ring.
inline Schedule ring(Team team) {
  const int p = team.ranks;
  Builder build(team, {.blocks = p, .input = {team.me, 1}, .output = {0, p}});
  build.copy(build.input(team.me), build.output(team.me));
  for (int t = 0; t + 1 < p; ++t) {
    build.send((team.me + 1) % p, build.output((team.me - t + p) % p));
    build.receive((team.me + p - 1) % p, build.output((team.me - t - 1 + p) % p));
    build.next_round();
  }
  return std::move(build).finish();
}

/// Allgather by recursive doubling of a power of two of ranks.
inline Schedule doubling_allgather(Team team) {
  const int p = team.ranks;
  Builder build(team, {.blocks = p, .input = {team.me, 1}, .output = {0, p}});
  build.copy(build.input(team.me), build.output(team.me));
  for (int d = 1; d < p; d *= 2) {
    const int peer = team.me ^ d;
    build.send(peer, build.output(team.me / d * d, d));
    build.receive(peer, build.output(peer / d * d, d));
    build.next_round();
  }
  return std::move(build).finish();
}

/// Allgather by exchange between neighbours, of an even number of ranks.
inline Schedule neighbour_exchange(Team team) {
  const int p = team.ranks;
  const int r = team.me;
  const int even = r - r % 2;
  Builder build(team, {.blocks = p, .input = {r, 1}, .output = {0, p}});
  build.copy(build.input(r), build.output(r));
  build.send(r ^ 1, build.output(r));
  build.receive(r ^ 1, build.output(r ^ 1));
  build.next_round();
  int has = even;  // the pair that goes on
  for (int t = 1; t < p / 2; ++t) {
    const bool up = (r % 2 == 0) == (t % 2 == 0);
    const int peer = (up ? r + 1 : r - 1 + p) % p;
    const int gets =
        r % 2 == 0 ? (t % 2 != 0 ? r - (t + 1) : r + t) : (t % 2 != 0 ? even + (t + 1) : even - t);
    build.send(peer, build.output(has, 2));
    has = (gets % p + p) % p;
    build.receive(peer, build.output(has, 2));
    build.next_round();
  }
  return std::move(build).finish();
}

/// Scatter: rank 0 sends everybody its block.
inline Schedule linear_scatter(Team team) {
  const int p = team.ranks;
  Builder build(
      team,
      {.blocks = p, .input = team.me == 0 ? Extent{0, p} : Extent{0, 0}, .output = {team.me, 1}});
  if (team.me == 0) {
    for (int r = 1; r < p; ++r) build.send(r, build.input(r));
    build.copy(build.input(0), build.output(0));
  } else {
    build.receive(0, build.output(team.me));
  }
  build.next_round();
  return std::move(build).finish();
}

/// Alltoall: everybody sends to everybody at once, and then receives.
inline Schedule direct_alltoall(Team team) {
  const int p = team.ranks;
  Builder build(team, {.blocks = p, .input = {0, p}, .output = {0, p}});
  build.copy(build.input(team.me), build.output(team.me));
  for (int d = 1; d < p; ++d) {
    const int to = (team.me + d) % p;
    build.send(to, build.input(to));
  }
  for (int d = 1; d < p; ++d) {
    const int from = (team.me + p - d) % p;
    build.receive(from, build.output(from));
  }
  return std::move(build).finish();
}

/// Broadcast from rank 0 along a chain, in segments.
inline Schedule chain(Team team, int segments) {
  Builder build(team, {.blocks = segments, .input = {}, .output = {0, segments}});
  for (int s = 0; s < segments; ++s) {
    build.set_round(s + team.me);
    if (team.me > 0) {
      build.set_round(s + team.me - 1);
      build.receive(team.me - 1, build.output(s));
      build.set_round(s + team.me);
    }
    if (team.me + 1 < team.ranks) build.send(team.me + 1, build.output(s));
  }
  return std::move(build).finish(segments + team.ranks);
}

}  // namespace cartwright::plan::samples
