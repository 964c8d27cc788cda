// SPDX-License-Identifier: Apache-2.0
// As atomic_plan, for ranks on nodes: who has the earliest part gives it to, or takes that of, a
// rank of its own node, where that takes no longer than a round more; between nodes data go where
// the root is.
#include <algorithm>

#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

TransferPlan near_plan(const ArrivalTask& task) {
  TransferPlan plan{.ranks = task.ranks, .root = task.root, .segments = task.segments};
  const auto node_of = [&](int rank) { return task.nodes[static_cast<std::size_t>(rank)]; };
  std::vector<Arrival> parts = sorted_arrivals(task);
  const Nanoseconds first = parts.front().time;
  for (int i = 1; i < task.ranks; ++i) {
    const Arrival earlier = parts.front();
    parts.erase(parts.begin());
    const auto is_near = [&](const Arrival& other) {
      return node_of(other.rank) == node_of(earlier.rank);
    };
    const Nanoseconds soon = parts.front().time + task.round;
    const auto near = std::ranges::find_if(parts, is_near);
    const auto taken = near != parts.end() && near->time <= soon ? near : parts.begin();
    const Arrival later = *taken;
    parts.erase(taken);
    const bool is_at_root = node_of(later.rank) == node_of(task.root);
    const bool to_later = later.rank == task.root ||
                          (earlier.rank != task.root && is_at_root && !is_near({0, task.root}));
    const int to = to_later ? later.rank : earlier.rank;
    plan.transfers.push_back({.round = i, .from = to_later ? earlier.rank : later.rank, .to = to});
    const Arrival part{later.time + task.round, to};
    parts.insert(std::ranges::lower_bound(parts, part), part);
  }
  plan.length = static_cast<int>((parts.front().time - first) / task.round);
  close_up(plan);
  return plan;
}

}  // namespace cartwright::plan::clairvoyant
