// SPDX-License-Identifier: Apache-2.0
// What the ranks of a binomial tree find out by themselves, without a forecast (the authors of
// Marendic 2016 had a "local redirect"; how it works isn't printed): who is there, and needn't wait
// for somebody below that is there, too, gives what it has to the nearest one above that is. While
// the root isn't there, the first of the tree stands in for it.
#include <algorithm>
#include <stdexcept>

#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

namespace {

/// The part of a rank at `place` of the tree, counted from the root, and from when on.
struct Part {
  Nanoseconds time = 0;
  int place = 0;
};

/// The nearest one above `place` among those that are there, which are in order of their places;
/// else the first of all.
std::size_t taker(const std::vector<Part>& parts, const std::vector<std::size_t>& there,
                  int place) {
  for (int above = place & (place - 1); above >= 0; above &= above - 1) {
    const auto found =
        std::ranges::find(there, above, [&](std::size_t i) { return parts[i].place; });
    if (found != there.end()) return *found;
    if (above == 0) break;
  }
  return there.front();
}

}  // namespace

TransferPlan redirected_plan(const ArrivalTask& task) {
  if (task.segments != 1)
    throw std::invalid_argument("redirected trees know one segment, not " +
                                std::to_string(task.segments));
  TransferPlan plan{.ranks = task.ranks, .root = task.root, .segments = 1};
  const auto rank_of = [&](int place) { return (place + task.root) % task.ranks; };
  std::vector<Part> parts;  // by place
  parts.reserve(static_cast<std::size_t>(task.ranks));
  for (int place = 0; place < task.ranks; ++place)
    parts.push_back(
        {task.arrivals.empty() ? 0 : task.arrivals[static_cast<std::size_t>(rank_of(place))],
         place});
  const Nanoseconds first = std::ranges::min(parts, {}, &Part::time).time;
  std::vector<std::size_t> there;
  for (int round = 0; parts.size() > 1; ++round) {
    // When two are there, at the earliest.
    Nanoseconds now = std::max(parts[0].time, parts[1].time),
                least = std::min(parts[0].time, parts[1].time);
    for (std::size_t i = 2; i < parts.size(); ++i) {
      if (parts[i].time < now) now = std::max(least, parts[i].time);
      least = std::min(least, parts[i].time);
    }
    there.clear();
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i].time <= now) there.push_back(i);
    const std::size_t giver = there.back();
    there.pop_back();
    Part& to = parts[taker(parts, there, parts[giver].place)];
    plan.transfers.push_back(
        {.round = round, .from = rank_of(parts[giver].place), .to = rank_of(to.place)});
    to.time = now + task.round;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(giver));
  }
  plan.length = static_cast<int>((parts.front().time - first) / task.round);
  close_up(plan);
  return plan;
}

}  // namespace cartwright::plan::clairvoyant
