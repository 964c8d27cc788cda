// SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/sleeping_barrier.hpp>
#include <cartwright/rt/ticks.hpp>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "../common/statistics.hpp"

namespace cartwright::bench {

namespace {

/// Ranks that are done don't take the cores of those that aren't: they sleep.
constexpr std::chrono::microseconds nap(200);

/// On this rank: when it left, on a clock that began with the turn, by its nominal delay.
double take_turn(const rt::Communicator& world, const Reducer& reducer, double delay) {
  rt::sleeping_barrier(world, nap);
  world.barrier();
  if (reducer.meet) reducer.meet();
  if (delay > 0) std::this_thread::sleep_for(std::chrono::duration<double>(delay));
  const rt::Ticks begin = rt::now();
  reducer.reduce();
  return delay + rt::seconds_between(begin, rt::now());
}

void require_right(const Reducers& reducers, const Reducer& reducer) {
  if (!reducer.is_bound && !reducers.is_right())
    throw rt::internal_failure(reducer.name + " gave a wrong sum");
}

}  // namespace

std::vector<Measured> measure_pattern(const rt::Communicator& world, Reducers& reducers,
                                      const Pattern& pattern, std::size_t bytes,
                                      std::size_t rounds) {
  const std::vector<Reducer> all = reducers.for_pattern(pattern, bytes);
  const auto me = static_cast<std::size_t>(world.rank().value);
  std::vector<Measured> measured;
  for (const Reducer& reducer : all)
    measured.push_back({reducer.name, reducer.is_bound, reducer.is_by_nodes, {}});
  const std::size_t warm_up = std::ranges::max(all, {}, &Reducer::warm_up).warm_up;
  for (std::size_t round = 0; round < warm_up; ++round)
    for (const Reducer& reducer : all) {
      if (round >= reducer.warm_up) continue;
      reducers.set_round(round);
      reducers.prepare();
      (void)take_turn(world, reducer, pattern.of_round(round)[me]);
      require_right(reducers, reducer);
    }
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t who = 0; who < all.size(); ++who) {
      reducers.set_round(round);
      reducers.prepare();
      const Arrivals& arrivals = pattern.of_round(round);
      const double left = take_turn(world, all[who], arrivals[me]);
      require_right(reducers, all[who]);
      measured[who].after_last.push_back(left - std::ranges::max(arrivals));
    }
  for (Measured& one : measured)
    reducers.collectives().allreduce(one.after_last, comm::Operator::maximum);
  return measured;
}

double permutation_p(std::span<const double> one, std::span<const double> other, int shuffles,
                     std::uint64_t seed) {
  std::vector<double> both(one.begin(), one.end());
  both.insert(both.end(), other.begin(), other.end());
  const auto distance = [&] {
    const std::span<const double> all(both);
    return std::abs(summarize(all.first(one.size())).median -
                    summarize(all.subspan(one.size())).median);
  };
  const double seen = distance();
  std::mt19937_64 dice(seed);
  int as_far = 0;
  for (int shuffle = 0; shuffle < shuffles; ++shuffle) {
    std::shuffle(both.begin(), both.end(), dice);
    as_far += distance() >= seen ? 1 : 0;
  }
  return (as_far + 1.0) / (shuffles + 1.0);
}

}  // namespace cartwright::bench
