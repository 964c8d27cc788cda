// SPDX-License-Identifier: Apache-2.0
#include "turn_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/agreement.hpp>
#include <limits>

namespace cartwright::grid {
namespace {

/// In each every candidate makes as many steps. The first two don't count: they make plans and
/// memory, and sweeps look for their manner. Nor does a candidate's first turn of a round, which
/// finds in the caches what another way has left there: a step of heat of 128³ took twice its time
/// then.
constexpr int rounds_of_trial = 5, rounds_before = 2;
/// Of several candidates that take about the same time, the fewest steps at once stay.
constexpr double clearly = 0.98;

/// Of single steps up to two thirds are in a manner that isn't kept (SweepTrial): a median would be
/// theirs. Nothing known: it can't be the quickest.
double lower_quartile_of(std::vector<double> seconds) {
  if (seconds.empty()) return std::numeric_limits<double>::infinity();
  const auto quarter = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 4);
  std::ranges::nth_element(seconds, quarter);
  return *quarter;
}

}  // namespace

TurnChoice TurnChoice::by_trial(int most) {
  if (most <= 1) return TurnChoice(1);
  TurnChoice choice(0);
  for (int steps = 1; steps <= most; steps *= 2) choice.candidates_.push_back({steps, {}, 0.0});
  return choice;
}

int TurnChoice::steps_of_round() const {
  return 2 * candidates_.back().steps;
}

long long TurnChoice::steps_of_trial() const {
  return rounds_of_trial * std::ssize(candidates_) * steps_of_round();
}

void TurnChoice::note(int steps, double seconds, const rt::Communicator& comm) {
  if (!is_under_trial()) return;
  Candidate& tried = candidates_[next_];
  if (rounds_ >= rounds_before && turns_ > 0 && steps == tried.steps)
    tried.seconds.push_back(seconds / steps);
  if (++turns_ * tried.steps < steps_of_round()) return;
  turns_ = 0;
  if (++next_ < candidates_.size()) return;
  next_ = 0;
  if (++rounds_ == rounds_of_trial) decide(comm);
}

void TurnChoice::decide(const rt::Communicator& comm) {
  std::vector<double> slowest;
  for (const Candidate& each : candidates_) slowest.push_back(lower_quartile_of(each.seconds));
  rt::combine(comm, slowest, rt::Combine::largest);
  const Candidate* best = nullptr;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    candidates_[i].typical = slowest[i];
    if (best == nullptr || slowest[i] < clearly * best->typical) best = &candidates_[i];
  }
  chosen_ = best->steps;
}

void TurnChoice::report(rt::Report::Section& section) const {
  if (candidates_.empty()) {
    if (chosen_ > 1) section.add("steps at once", std::int64_t{chosen_});
    return;
  }
  section.add("steps at once", is_under_trial()
                                   ? std::string("too few for a trial")
                                   : fmt::format("{}, chosen by measurement", chosen_));
  for (const Candidate& each : candidates_)
    if (!is_under_trial() && each.typical < std::numeric_limits<double>::infinity())
      section.add(fmt::format("a step, {} at once", each.steps), each.typical, "s");
}

}  // namespace cartwright::grid
