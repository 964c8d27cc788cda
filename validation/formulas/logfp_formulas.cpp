// SPDX-License-Identifier: Apache-2.0
#include "logfp_formulas.hpp"
#include <algorithm>
#include <stdexcept>
#include "loggp_formulas.hpp"

namespace cartwright::validation::formulas {

double linear_scatter_time(const LogFp& model, Count ranks) {
  return ranks < 2 ? 0.0 : model.burst(ranks - 1);
}

double splitting_scatter_time(const LogFp& model, Count ranks) {
  return rounds_of(ranks, 2) * model.one_way();
}

double n_way_scatter_time(const LogFp& model, Count ranks, int fanout) {
  const double round =
      fanout * model.send_overhead(fanout) + model.latency + model.receive_overhead(1);
  return rounds_of(ranks, fanout + 1) * round;
}

Count ranks_from_which_linear_loses(const LogFp& model, double (*other)(const LogFp&, Count),
                                    Count most) {
  Count from = 0;
  for (Count ranks = most; ranks >= 2; --ranks) {
    if (linear_scatter_time(model, ranks) <= other(model, ranks)) break;
    from = ranks;
  }
  return from;
}

double ring_allgather_time(const LogFp& model, Count ranks) {
  return static_cast<double>(ranks - 1) * model.one_way();
}

double modified_ring_allgather_time(const LogFp& model, Count ranks) {
  if (ranks < 2) return 0.0;
  const Count messages = ranks - 1;
  const double send = model.send_overhead(messages);
  const double overheads = send + model.receive_overhead(messages);
  const auto others = static_cast<double>(messages - 1);
  const double sending = messages <= model.free_burst
                             ? others * send
                             : static_cast<double>(messages - model.free_burst) * model.gap;
  return overheads + std::max(sending + model.latency, others * overheads);
}

double neighbour_exchange_allgather_time(const LogFp& model, Count ranks) {
  if (ranks % 2 != 0)
    throw std::invalid_argument("neighbour exchange needs an even number of ranks");
  const Count rounds = ranks / 2;
  return static_cast<double>(rounds) * model.one_way();
}

double recursive_doubling_allgather_time(const LogFp& model, Count ranks) {
  const int rounds = rounds_of(ranks, 2);
  if (Count{1} << rounds != ranks)
    throw std::invalid_argument("recursive doubling needs a power of two ranks");
  return rounds * model.one_way();
}

double bruck_allgather_time(const LogFp& model, Count ranks, int ports) {
  const double send = model.send_overhead(ports);
  const double overheads = send + model.receive_overhead(ports);
  const double round =
      overheads + std::max((ports - 1) * send + model.latency, (ports - 1) * overheads);
  return rounds_of(ranks, ports + 1) * round;
}

}  // namespace cartwright::validation::formulas
