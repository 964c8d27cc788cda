// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <bit>

namespace cartwright::plan::allgather {

namespace {

Builder allgather_builder(Team team) {
  return {team, {.blocks = team.ranks, .input = {team.me, 1}, .output = {0, team.ranks}}};
}

// A rank at some distance, at most P, below or above.
int ring_rank(Team team, int distance) {
  const int rank = team.me + distance;
  return rank < 0 ? rank + team.ranks : rank >= team.ranks ? rank - team.ranks : rank;
}

}  // namespace

Schedule ring(Team team) {
  Builder build = allgather_builder(team);
  build.reserve(2 * static_cast<std::size_t>(team.ranks));
  const int right = ring_rank(team, 1);
  const int left = ring_rank(team, -1);
  for (int t = 0; t < team.ranks - 1; ++t, build.next_round()) {
    build.send(right, t == 0 ? build.input(team.me) : build.output(ring_rank(team, -t)));
    if (t == 0) build.copy(build.input(team.me), build.output(team.me));
    build.receive(left, build.output(ring_rank(team, -t - 1)));
  }
  if (team.ranks == 1) build.copy(build.input(0), build.output(0));
  return std::move(build).finish();
}

Schedule direct(Team team) {
  Builder build = allgather_builder(team);
  build.reserve(2 * static_cast<std::size_t>(team.ranks));
  for (int t = 1; t < team.ranks; ++t) build.send(ring_rank(team, t), build.input(team.me));
  build.copy(build.input(team.me), build.output(team.me));
  for (int t = 1; t < team.ranks; ++t) {
    const int from = ring_rank(team, -t);
    build.receive(from, build.output(from));
  }
  return std::move(build).finish(1);
}

Schedule neighbour_exchange(Team team) {
  if (team.ranks % 2 != 0) return ring(team);
  Builder build = allgather_builder(team);
  build.reserve(static_cast<std::size_t>(team.ranks) + 1);
  const bool even = team.me % 2 == 0;
  const int partner = team.me ^ 1;
  const int own_pair = team.me - team.me % 2;
  build.send(partner, build.input(team.me));
  build.copy(build.input(team.me), build.output(team.me));
  build.receive(partner, build.output(partner));
  build.next_round();
  for (int t = 1, pair = own_pair; t < team.ranks / 2; ++t, build.next_round()) {
    const bool back = t % 2 == 0;
    const int peer = back ? partner : ring_rank(team, even ? -1 : 1);
    build.send(peer, build.output(pair, 2));
    const int distance = back == even ? t + (even ? 0 : 1) : -t - (even ? 1 : 0);
    pair = (own_pair + distance + team.ranks) % team.ranks;
    build.receive(peer, build.output(pair, 2));
  }
  return std::move(build).finish();
}

Schedule recursive_doubling(Team team) {
  Builder build = allgather_builder(team);
  const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(team.ranks)));
  const int extra = team.ranks - power;
  // Ranks 2v and 2v + 1 with v < extra act as one, the odd one for both.
  const auto first_block = [&](int v) { return v + std::min(v, extra); };
  const bool paired = team.me < 2 * extra;
  const bool waits = paired && team.me % 2 == 0;
  const int self = paired ? team.me / 2 : team.me - extra;
  if (waits) build.send(team.me + 1, build.input(team.me));
  if (!paired || !waits) build.copy(build.input(team.me), build.output(team.me));
  if (paired && !waits) build.receive(team.me - 1, build.output(team.me - 1));
  if (extra > 0) build.next_round();
  for (int distance = 1; distance < power; distance *= 2, build.next_round()) {
    if (waits) continue;
    const auto blocks = [&](int v) {
      const int from = v / distance * distance;
      return build.output(first_block(from), first_block(from + distance) - first_block(from));
    };
    const int other = self ^ distance;
    const int peer = other < extra ? 2 * other + 1 : other + extra;
    build.send(peer, blocks(self));
    build.receive(peer, blocks(other));
  }
  if (extra > 0) {
    if (waits) build.receive(team.me + 1, build.output(0, team.ranks));
    if (paired && !waits) build.send(team.me - 1, build.output(0, team.ranks));
    build.next_round();
  }
  return std::move(build).finish();
}

Schedule dissemination(Team team) {
  Builder build = allgather_builder(team);
  // The `count` blocks up to `last`, which may lie round the end.
  const auto pieces = [&](int last, int count, auto each) {
    const int wrapped = std::max(0, count - 1 - last);
    if (wrapped > 0) each(build.output(team.ranks - wrapped, wrapped));
    each(build.output(last + 1 - (count - wrapped), count - wrapped));
  };
  build.copy(build.input(team.me), build.output(team.me));
  for (int held = 1; held < team.ranks; held *= 2, build.next_round()) {
    const int count = std::min(held, team.ranks - held);
    const int to = ring_rank(team, held);
    const int from = ring_rank(team, -held);
    pieces(team.me, count, [&](Slice piece) { build.send(to, piece); });
    pieces(from, count, [&](Slice piece) { build.receive(from, piece); });
  }
  return std::move(build).finish();
}

Schedule sparbit(Team team) {
  Builder build = allgather_builder(team);
  build.reserve(2 * static_cast<std::size_t>(team.ranks));
  build.copy(build.input(team.me), build.output(team.me));
  const auto power = static_cast<int>(std::bit_ceil(static_cast<unsigned>(team.ranks)));
  for (int distance = power / 2; distance > 0; distance /= 2, build.next_round()) {
    const int from = ring_rank(team, -distance);
    // A block that has come `way` ranks far goes on by `distance`.
    for (int way = 0; way + distance < team.ranks; way += 2 * distance)
      build.send(ring_rank(team, distance), build.output(ring_rank(team, -way)));
    for (int way = 0; way + distance < team.ranks; way += 2 * distance)
      build.receive(from, build.output(ring_rank(team, -way - distance)));
  }
  return std::move(build).finish();
}

}  // namespace cartwright::plan::allgather
