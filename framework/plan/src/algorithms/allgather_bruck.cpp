// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <stdexcept>

namespace cartwright::plan::allgather {

namespace {

// How many blocks the messages of one round have.
class BruckRound {
 public:
  BruckRound(int ranks, int held, int ports, LastRound last)
      : missing_(ranks - held),
        messages_(std::min(missing_ / held + (missing_ % held > 0 ? 1 : 0), ports)),
        held_(held),
        balanced_(last == LastRound::balanced && missing_ / held < ports) {
    if (balanced_) messages_ = std::min(ports, missing_);
  }

  [[nodiscard]] int messages() const { return messages_; }
  [[nodiscard]] int blocks(int message) const {
    if (balanced_) return missing_ / messages_ + (message < missing_ % messages_ ? 1 : 0);
    return std::min(held_, missing_ - message * held_);
  }

 private:
  int missing_;
  int messages_;
  int held_;
  bool balanced_;
};

}  // namespace

Schedule bruck(Team team, int ports, LastRound last) {
  if (ports < 1) throw std::invalid_argument("Bruck's allgather needs a port");
  const int ranks = team.ranks;
  const int me = team.me;
  Builder build(team, {.blocks = ranks, .input = {me, 1}, .output = {0, ranks}});
  if (ranks == 1) {
    build.copy(build.input(0), build.output(0));
    return std::move(build).finish();
  }
  const Buffer work = build.scratch(me, ranks);
  int rounds = 0;
  for (int held = 1; held < ranks; ++rounds) {
    build.set_round(rounds);
    const BruckRound round(ranks, held, ports, last);
    for (int m = 0, distance = held; m < round.messages(); distance += round.blocks(m++))
      build.send(me < distance ? me - distance + ranks : me - distance,
                 rounds == 0 ? build.input(me) : Slice{work, me, round.blocks(m)});
    if (rounds == 0) build.copy(build.input(me), {work, me, 1});
    int next = held;
    for (int m = 0; m < round.messages(); next += round.blocks(m++)) {
      const int from = (me + next) % ranks;
      build.receive(from, {work, from, round.blocks(m)});
    }
    held = next;
  }
  build.copy({work, me, ranks - me}, build.output(me, ranks - me));
  build.copy({work, 0, me}, build.output(0, me));
  return std::move(build).finish(rounds);
}

}  // namespace cartwright::plan::allgather
