// SPDX-License-Identifier: Apache-2.0
#include "core_ordering.hpp"
#include <algorithm>
#include <bit>
#include <cartwright/rt/error.hpp>
#include <numeric>
#include <utility>

namespace cartwright::validation {

namespace {

/// ceil(log2(ranks)).
int steps_of(int ranks) {
  return std::bit_width(static_cast<unsigned>(ranks - 1));
}

/// Calls `visit(step, parent, child)` for every message of the tree, step after step.
template <typename Visit>
void for_each_message(int ranks, Visit visit) {
  const int steps = ranks > 0 ? steps_of(ranks) : 0;
  for (int step = 1; step <= steps; ++step) {
    const int distance = 1 << (steps - step);
    for (int parent = 0; parent + distance < ranks; parent += 2 * distance) {
      visit(step, parent, parent + distance);
    }
  }
}

/// Fills the tree from the root; `is_wanted(parent core, step, core)` narrows the choice where it
/// leaves one.
template <typename Wanted>
std::vector<int> order_by(const CostMatrix& costs, int root, Wanted is_wanted) {
  std::vector<int> order(static_cast<std::size_t>(costs.size()), root);
  std::vector<bool> is_free(order.size(), true);
  if (!order.empty()) is_free.at(static_cast<std::size_t>(root)) = false;
  for_each_message(costs.size(), [&](int step, int parent, int child) {
    const int from = order[static_cast<std::size_t>(parent)];
    int best = -1;
    bool best_is_wanted = false;
    for (int core = 0; core < costs.size(); ++core) {
      if (!is_free[static_cast<std::size_t>(core)]) continue;
      const bool wanted = is_wanted(from, step, core);
      if (best < 0 || (wanted && !best_is_wanted) ||
          (wanted == best_is_wanted && costs(from, core) < costs(from, best))) {
        best = core;
        best_is_wanted = wanted;
      }
    }
    order[static_cast<std::size_t>(child)] = best;
    is_free[static_cast<std::size_t>(best)] = false;
  });
  return order;
}

}  // namespace

std::vector<int> fastest_edge_first(const CostMatrix& costs, int root) {
  return order_by(costs, root, [](int, int, int) { return true; });
}

std::vector<int> channel_aware_order(const CostMatrix& costs, const CoreGroups& groups,
                                     double channels, int root) {
  if (groups.count <= 1) {
    std::vector<int> order(static_cast<std::size_t>(costs.size()));
    std::iota(order.begin(), order.end(), 0);
    if (!order.empty()) std::rotate(order.begin(), order.begin() + root, order.begin() + root + 1);
    return order;
  }
  const int last = std::max(1, steps_of(costs.size()));
  int crossing = 1;  // the step with 2^(crossing - 1) messages
  while (crossing < last && static_cast<double>(1 << crossing) <= channels) ++crossing;
  return order_by(costs, root, [&](int from, int step, int core) {
    const bool inside = groups.group_of[static_cast<std::size_t>(from)] ==
                        groups.group_of[static_cast<std::size_t>(core)];
    return inside == (step != crossing);
  });
}

std::vector<int> random_order(int cores, std::uint64_t seed, int root) {
  std::vector<int> order(static_cast<std::size_t>(cores));
  std::iota(order.begin(), order.end(), 0);
  if (order.empty()) return order;
  std::swap(order.front(), order.at(static_cast<std::size_t>(root)));
  for (std::size_t i = 1; i < order.size(); ++i) {
    seed += 0x9E3779B97F4A7C15ULL;  // splitmix64
    std::uint64_t bits = seed;
    bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBULL;
    bits ^= bits >> 31U;
    std::swap(order[i], order[i + bits % (order.size() - i)]);
  }
  return order;
}

std::vector<int> crossings_by_step(std::span<const int> order, const CoreGroups& groups) {
  std::vector<int> crossings;
  const auto group_at = [&](int place) {
    return groups.group_of[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])];
  };
  for_each_message(static_cast<int>(order.size()), [&](int step, int parent, int child) {
    crossings.resize(static_cast<std::size_t>(step), 0);
    if (group_at(parent) != group_at(child)) ++crossings.back();
  });
  return crossings;
}

rt::Communicator reordered(const rt::Communicator& comm, std::span<const int> order) {
  std::vector<int> new_rank(static_cast<std::size_t>(comm.size()), -1);
  bool is_permutation = order.size() == new_rank.size();
  for (std::size_t j = 0; is_permutation && j < order.size(); ++j) {
    const auto old = static_cast<std::size_t>(order[j]);
    is_permutation = order[j] >= 0 && old < new_rank.size() && new_rank[old] < 0;
    if (is_permutation) new_rank[old] = static_cast<int>(j);
  }
  if (!is_permutation) {
    throw rt::input_error("a re-mapping vector doesn't name every rank of the communicator once",
                          "Entry j names the old rank of new rank j.", rt::Reach::all_ranks);
  }
  return comm.split(0, new_rank[static_cast<std::size_t>(comm.rank().value)]);
}

}  // namespace cartwright::validation
