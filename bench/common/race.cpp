// SPDX-License-Identifier: Apache-2.0
#include "race.hpp"

#include <algorithm>
#include <cartwright/rt/agreement.hpp>
#include <cmath>

namespace cartwright::bench {

void Race::begin() {
  comm_.barrier();
  begun_ = rt::now();
}

void Race::end(std::size_t contestant, int repeats) {
  samples_[contestant].push_back(rt::seconds_between(begun_, rt::now()) / repeats);
}

void Race::turn(std::size_t contestant, const std::function<void()>& work, int repeats) {
  begin();
  for (int i = 0; i < repeats; ++i) work();
  end(contestant, repeats);
}

void Race::restart() {
  for (Samples& samples : samples_) samples.clear();
}

std::vector<Race::Samples> Race::finish() const {
  std::vector<Samples> slowest = samples_;
  for (Samples& samples : slowest) rt::combine(comm_, samples, rt::Combine::largest);
  return slowest;
}

namespace {

/// The slowest contestant's time for one call, after a call that isn't measured.
double estimate(const rt::Communicator& comm,
                const std::vector<std::function<void()>>& contestants) {
  Race warm_up(comm, contestants.size());
  for (int round = 0; round < 3; ++round)
    for (std::size_t c = 0; c < contestants.size(); ++c) warm_up.turn(c, contestants[c]);
  double longest = 0.0;
  for (const Race::Samples& samples : warm_up.finish())
    longest = std::max(longest, *std::min_element(samples.begin(), samples.end()));
  return std::max(longest, 1.0e-7);
}

/// Collective: true if it is over for any rank.
bool is_over(const rt::Communicator& comm, bool here) {
  return !rt::on_all_ranks(comm, !here);
}

}  // namespace

std::vector<Race::Samples> race(const rt::Communicator& comm,
                                const std::vector<std::function<void()>>& contestants,
                                const Effort& effort) {
  const double once = estimate(comm, contestants);
  const int repeats = std::max(1, static_cast<int>(std::ceil(effort.shortest_turn / once)));
  const double round =
      once * (repeats + effort.unmeasured) * static_cast<double>(contestants.size());
  const int rounds = std::clamp(static_cast<int>(effort.seconds / round), effort.fewest_rounds,
                                effort.most_rounds);
  Race measured(comm, contestants.size());
  const rt::Ticks begun = rt::now();
  const double longest = effort.seconds * effort.patience;
  for (int i = 0; i < rounds; ++i) {
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      for (int call = 0; call < effort.unmeasured; ++call) contestants[c]();
      measured.turn(c, contestants[c], repeats);
    }
    if (is_over(comm, rt::seconds_between(begun, rt::now()) > longest)) break;
  }
  return measured.finish();
}

}  // namespace cartwright::bench
