// SPDX-License-Identifier: Apache-2.0
#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

TransferPlan atomic_plan(const ArrivalTask& task) {
  TransferPlan plan{.ranks = task.ranks, .root = task.root, .segments = task.segments};
  const std::vector<Arrival> arrivals = sorted_arrivals(task);
  // Parts that combine appear in the order of their times: two queues do.
  std::vector<Arrival> parts;
  std::size_t next = 0, next_part = 0;
  const auto take = [&] {
    const bool from_parts =
        next == arrivals.size() || (next_part < parts.size() && parts[next_part] < arrivals[next]);
    return from_parts ? parts[next_part++] : arrivals[next++];
  };
  for (int i = 1; i < task.ranks; ++i) {
    const Arrival earlier = take();
    const Arrival later = take();
    // Who comes later gives away what it has, and is done.
    const int to = later.rank == task.root ? later.rank : earlier.rank;
    const int from = to == later.rank ? earlier.rank : later.rank;
    plan.transfers.push_back({.round = i, .from = from, .to = to});
    parts.push_back({later.time + task.round, to});
  }
  if (!parts.empty())
    plan.length = static_cast<int>((parts.back().time - arrivals.front().time) / task.round);
  close_up(plan);
  return plan;
}

}  // namespace cartwright::plan::clairvoyant
