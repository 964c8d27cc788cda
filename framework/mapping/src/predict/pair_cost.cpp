// SPDX-License-Identifier: Apache-2.0
#include "pair_cost.hpp"

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cmath>

namespace cartwright::mapping {

namespace {

plan::Count whole_bytes(double bytes) {
  return static_cast<plan::Count>(std::ceil(bytes));
}

/// Ranks along both axes of a process grid that is as square as can be, the longer axis first.
struct Lines {
  RanksOnNodes columns, rows;
};

/// Consecutive ranks stand along the first axis, as on one node.
Lines lines_of(const RanksOnNodes& ranks) {
  const auto [longer, shorter] = squarest_process_grid(ranks.ranks);
  const auto along = [](int size, int on_node) {
    return RanksOnNodes{size, (size + on_node - 1) / on_node, on_node};
  };
  return {along(longer, std::min(longer, ranks.on_node)),
          along(shorter, std::clamp(ranks.on_node / longer, 1, shorter))};
}

/// One message to the next rank: the slowest way there is.
double message_time(const plan::Machine& machine, const RanksOnNodes& ranks, double bytes) {
  const std::size_t node = node_level(machine);
  const bool crosses = ranks.nodes > 1 || node + 1 >= machine.levels.size();
  const Channel way{machine.levels[crosses ? node : node + 1].network, {}};
  return way.start(bytes) + bytes * way.byte_time(bytes);
}

}  // namespace

double pair_time(const PairTraffic& pairs, double more, const plan::Machine& machine,
                 const RanksOnNodes& ranks, Transport transport, double kernels) {
  if (ranks.ranks < 2) return 0.0;
  using plan::Operation;
  const double of_rank = std::ceil(more * pairs.particles / ranks.ranks);
  const double positions = of_rank * pairs.position_bytes;
  const auto gathered = [&](const RanksOnNodes& line) {
    return collective_time({Operation::allgather, whole_bytes(positions), 1.0}, machine, line,
                           transport);
  };
  switch (pairs.way) {
    case PairWay::allgather:
      return gathered(ranks);
    case PairWay::ring: {
      const double beside = kernels / ranks.ranks;  // with those that are here
      return (ranks.ranks - 1) * std::max(0.0, message_time(machine, ranks, positions) - beside);
    }
    case PairWay::rows_and_columns:
      break;
  }
  const auto [columns, rows] = lines_of(ranks);
  const double sums = of_rank * pairs.sum_bytes;
  return std::max(gathered(columns), gathered(rows)) +  // both at once
         collective_time({Operation::reduce_scatter, whole_bytes(sums), 1.0}, machine, rows,
                         transport);
}

double pair_waits(const PairTraffic& pairs, int ranks) {
  switch (pairs.way) {
    case PairWay::allgather:
      return 1.0;
    case PairWay::ring:
      return ranks - 1.0;
    case PairWay::rows_and_columns:
      break;
  }
  return 2.0;
}

}  // namespace cartwright::mapping
