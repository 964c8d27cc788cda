// SPDX-License-Identifier: Apache-2.0
// A collective of one's own: described once, then proved, simulated and drawn.
#include <cartwright/plan/builder.hpp>
#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cartwright/plan/simulation/timeline.hpp>
#include <cartwright/plan/validate.hpp>
#include <fstream>
#include <iostream>

namespace plan = cartwright::plan;

// Everybody sends to rank 0, which combines in the order of ranks and sends the result back.
plan::Schedule star(plan::Team team) {
  plan::Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  if (team.me == 0) {
    build.copy(build.input(0), build.output(0));
    for (int rank = 1; rank < team.ranks; ++rank)
      build.receive_combine(rank, plan::Side::right, build.output(0), build.output(0));
    build.next_round();
    for (int rank = 1; rank < team.ranks; ++rank) build.send(rank, build.output(0));
  } else {
    build.send(0, build.input(0));
    build.next_round();
    build.receive(0, build.output(0));
  }
  build.next_round();
  return std::move(build).finish();
}

int main() {
  constexpr int ranks = 6;
  constexpr int elements = 3;
  std::vector<plan::Schedule> schedules;
  for (int rank = 0; rank < ranks; ++rank) schedules.push_back(star({.ranks = ranks, .me = rank}));
  const std::vector<plan::Layout> layouts(ranks, plan::Cuts::balanced(1, elements));

  // No deadlock, every message received, nothing read too early.
  for (const std::string& fault : plan::faults(schedules, layouts)) std::cout << fault << '\n';

  // All ranks on real data: words, so that the order is seen.
  std::vector<plan::Memory<std::string>> memories(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    memories[rank].input.assign(elements, std::string(1, static_cast<char>('a' + rank)));
    memories[rank].output.resize(elements);
  }
  const auto join = [](const std::string& left, const std::string& right) { return left + right; };
  plan::interpret<std::string>(schedules, layouts, memories, join);
  std::cout << "rank 5 has " << memories[5].output[0] << '\n';

  // 8 bytes on 1000 ranks of a network with L = 1 us, o = 0.3 us, g = 0.1 us.
  const auto network = plan::log_gp(1e-6, 0.3e-6, 0.3e-6, 0.1e-6, 0.1e-9);
  const auto simulate = [&](int size, plan::Record record) {
    return plan::simulate(size, [&](int rank) { return star({.ranks = size, .me = rank}); },
                          plan::Cuts::balanced(1, 1), 8, plan::flat_machine(network),
                          {.record = record});
  };
  std::cout << "1000 ranks take " << plan::seconds(simulate(1000, plan::Record::times).total) * 1e6
            << " us\n";

  std::ofstream picture("star.svg");
  plan::write_svg(picture, simulate(ranks, plan::Record::timeline).timeline,
                  {.title = "a star of 6 ranks"});
}
