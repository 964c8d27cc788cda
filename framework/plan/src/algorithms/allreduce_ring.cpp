// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/builder.hpp>

#include <utility>

namespace cartwright::plan::allreduce {

Schedule ring(Team team) {
  const int ranks = team.ranks;
  Builder build(team, {.blocks = ranks, .input = {0, ranks}, .output = {0, ranks}});
  build.reserve(4 * static_cast<std::size_t>(ranks));
  if (ranks == 1) build.copy(build.input(0), build.output(0));
  const int right = (team.me + 1) % ranks;
  const int left = (team.me + ranks - 1) % ranks;
  // A block is complete after ranks - 1 hops, and everywhere after as many more. It is sent on in
  // the round after the one in which it came; the first one is the rank's own.
  const auto block = [&](int round) { return (team.me + 2 * ranks - round) % ranks; };
  for (int round = 0; round < 2 * (ranks - 1); ++round) {
    const Slice next = build.output(block(round + 1));
    build.send(right, round == 0 ? build.input(block(0)) : build.output(block(round)));
    if (round < ranks - 1) {
      build.receive_combine(left, Side::left, build.input(next.first), next);
    } else {
      build.receive(left, next);
    }
    build.next_round();
  }
  return std::move(build).finish();
}

}  // namespace cartwright::plan::allreduce
