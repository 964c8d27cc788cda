// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/barrier.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace cartwright::plan::barrier {

namespace {

// Calls body(distance, messages) for each round: `messages` multiples of the distance are below P.
template <class Body>
void for_each_signal_round(Team team, int ways, Body body) {
  if (ways < 1) throw std::invalid_argument("a barrier needs at least one way");
  for (std::int64_t distance = 1; distance < team.ranks; distance *= ways + 1)
    body(static_cast<int>(distance),
         static_cast<int>(std::min<std::int64_t>(ways, (team.ranks - 1) / distance)));
}

// Writes signals: each goes out with all that have come.
class SignalBuilder {
 public:
  SignalBuilder(Team team, int signals)
      : build_(team, {.blocks = signals + 1, .signals = true}),
        tokens_(build_.scratch(0, signals + 1)) {}

  void signal(int to) { build_.send(to, {tokens_, 0, known_}); }
  void await(int from) { build_.receive(from, {tokens_, known_++, 1}); }
  void next_round() { build_.next_round(); }
  Schedule finish() && { return std::move(build_).finish(); }

 private:
  Builder build_;
  Buffer tokens_;
  int known_ = 1;
};

int most_signals(Team team, int ways) {
  int signals = 0;
  for_each_signal_round(team, ways, [&](int, int messages) { signals += messages; });
  return signals;
}

}  // namespace

Schedule dissemination(Team team, int ways) {
  SignalBuilder build(team, most_signals(team, ways));
  for_each_signal_round(team, ways, [&](int distance, int messages) {
    const auto far = [&](int y) { return static_cast<std::int64_t>(y) * distance; };
    for (int y = 1; y <= messages; ++y)
      build.signal(static_cast<int>((team.me + far(y)) % team.ranks));
    for (int y = 1; y <= messages; ++y)
      build.await(static_cast<int>((team.me - far(y) + team.ranks) % team.ranks));
    build.next_round();
  });
  return std::move(build).finish();
}

Schedule fan_in(Team team, int ways) {
  SignalBuilder build(team, most_signals(team, ways));
  bool waiting = true;
  for_each_signal_round(team, ways, [&](int distance, int) {
    const std::int64_t digit = static_cast<std::int64_t>(team.me) / distance % (ways + 1);
    if (waiting && digit > 0) {
      build.signal(static_cast<int>(team.me - digit * distance));
      waiting = false;
    }
    for (std::int64_t y = 1; waiting && y <= ways && team.me + y * distance < team.ranks; ++y)
      build.await(static_cast<int>(team.me + y * distance));
    build.next_round();
  });
  return std::move(build).finish();
}

Schedule fan_out(Team team, int ways) {
  SignalBuilder build(team, most_signals(team, ways));
  std::int64_t distance = 1;
  for (; distance < team.ranks; distance *= ways + 1) {
  }
  bool told = team.me == 0;
  for (distance /= ways + 1; distance > 0; distance /= ways + 1) {
    const std::int64_t digit = team.me / distance % (ways + 1);
    if (told) {
      for (std::int64_t y = 1; y <= ways && team.me + y * distance < team.ranks; ++y)
        build.signal(static_cast<int>(team.me + y * distance));
    } else if (digit > 0 && team.me % distance == 0) {
      build.await(static_cast<int>(team.me - digit * distance));
      told = true;
    }
    build.next_round();
  }
  return std::move(build).finish();
}

}  // namespace cartwright::plan::barrier
