// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/split_table.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cartwright::plan {

SplitCosts split_costs(const Network& network, Count block_bytes) {
  const double byte_time = network.byte_time.at(block_bytes);
  const double free_byte = network.first_byte_is_free ? byte_time : 0.0;
  const double overhead = network.send_overhead.at(block_bytes);
  const double message =
      overhead + network.latency.at(block_bytes) + network.receive_overhead.at(block_bytes);
  return {std::max<Picoseconds>(picoseconds(message - free_byte), 0),
          picoseconds(std::max(network.gap.at(block_bytes) - free_byte, overhead)),
          picoseconds(byte_time * static_cast<double>(block_bytes))};
}

SplitTable::SplitTable(int ranks, SplitCosts costs) {
  if (ranks < 1)
    throw std::invalid_argument("a split table for " + std::to_string(ranks) + " ranks");
  if (std::min({costs.message, costs.gap, costs.block}) < 0)
    throw std::invalid_argument("a split table of negative costs");
  entries_.resize(static_cast<std::size_t>(ranks));
  int n = 1;  // the smallest for which the message sent arrives last, or p - 1
  for (int p = 2; p <= ranks; ++p) {
    while (n < p - 1 && costs.message + time(n) < costs.gap + time(p - n)) ++n;
    const int best = smallest_best(costs, p, n);
    entries_[static_cast<std::size_t>(p) - 1] = {cost(costs, p, best), best,
                                                 1 + std::max(rounds(best), rounds(p - best))};
  }
}

// Below n the cost never rises with n, so that the best ones stand together.
int SplitTable::smallest_best(SplitCosts costs, int p, int n) const {
  if (n == 1 || cost(costs, p, n - 1) > cost(costs, p, n)) return n;
  const Picoseconds best = cost(costs, p, n - 1);
  int low = 1;
  int high = n - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (cost(costs, p, middle) > best) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Picoseconds SplitTable::cost(SplitCosts costs, int p, int n) const {
  return n * costs.block + std::max(costs.message + time(n), costs.gap + time(p - n));
}

}  // namespace cartwright::plan
