// SPDX-License-Identifier: Apache-2.0
#include "loggp_formulas.hpp"
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cartwright::validation::formulas {
namespace {

double as_real(Count count) {
  return static_cast<double>(count);
}

/// `blocks` blocks of `bytes` that travel one after the other in `messages` messages.
double log_gp_bytes(const LogGp& model, Count bytes, Form form, Count blocks, Count messages) {
  if (bytes == 0) return 0.0;
  const Count charged = form == Form::exact ? blocks * bytes - messages : blocks * (bytes - 1);
  return as_real(charged) * model.byte_time;
}

}  // namespace

int rounds_of(Count ranks, int base) {
  int rounds = 0;
  for (Count reached = 1; reached < ranks; reached *= base) ++rounds;
  return rounds;
}

double LogGpScatter::bytes_time(Count blocks, Count messages) const {
  return log_gp_bytes(model, bytes, form, blocks, messages);
}

double LogGpScatter::linear() const {
  if (ranks < 2) return 0.0;
  if (form == Form::exact) return burst_time(model, ranks - 1, bytes);
  const double interval = std::max(model.send_overhead, model.gap) + bytes_time(1, 1);
  return model.one_way() + as_real(ranks - 1) * interval;
}

double LogGpScatter::splitting() const {
  const int rounds = rounds_of(ranks, 2);
  return rounds * model.one_way() + bytes_time(ranks - 1, rounds);
}

double LogGpScatter::splitting_fastest_leaf() const {
  if (ranks < 2) return 0.0;
  const int rounds = rounds_of(ranks, 2);
  return (rounds - 1) * model.gap + model.one_way() + bytes_time(ranks - 1, rounds);
}

double LogGpScatter::n_way(int fanout) const {
  const int rounds = rounds_of(ranks, fanout + 1);
  Count full = 1;
  for (int i = 0; i < rounds; ++i) full *= fanout + 1;
  const Count messages = Count{rounds} * (full == ranks ? fanout : 1);  // at least, if uneven
  return rounds * (model.one_way() + (fanout - 1) * model.gap) + bytes_time(ranks - 1, messages);
}

OptimalSplitting optimal_splitting(const LogGp& model, Count ranks, Count bytes, Form form) {
  const auto size = static_cast<std::size_t>(ranks) + 1;
  OptimalSplitting best{std::vector<double>(size, 0.0), std::vector<Count>(size, 0)};
  for (std::size_t p = 2; p < size; ++p) {
    best.time[p] = HUGE_VAL;
    for (std::size_t n = 1; n < p; ++n) {
      const double message = log_gp_bytes(model, bytes, form, static_cast<Count>(n), 1);
      const double time =
          message + std::max(model.one_way() + best.time[n],
                             std::max(model.gap, model.send_overhead - message) + best.time[p - n]);
      if (time >= best.time[p]) continue;
      best.time[p] = time;
      best.sent[p] = static_cast<Count>(n);
    }
  }
  return best;
}

double printed_splitting_gain(const LogGp& model, Count ranks) {
  return (std::log2(as_real(ranks)) - 1.0) * (model.one_way() - model.gap) / 2.0;
}

double LogGpAllgather::bytes_time(Count blocks, Count messages) const {
  return log_gp_bytes(model, bytes, form, blocks, messages);
}

double LogGpAllgather::ring() const {
  return as_real(ranks - 1) * (model.one_way() + bytes_time(1, 1));
}

double LogGpAllgather::modified_ring() const {
  if (ranks < 2) return 0.0;
  const double overheads = model.send_overhead + model.receive_overhead;
  const double others = as_real(ranks - 2);
  return overheads + bytes_time(ranks - 1, ranks - 1) +
         std::max(others * model.gap + model.latency, others * overheads);
}

double LogGpAllgather::neighbour_exchange() const {
  if (ranks % 2 != 0)
    throw std::invalid_argument("neighbour exchange needs an even number of ranks");
  return as_real(ranks / 2) * model.one_way() + bytes_time(ranks - 1, ranks / 2);
}

int doubling_allgather_rounds(Count ranks, Form form) {
  const int up = rounds_of(ranks, 2);
  if (Count{1} << up == ranks) return up;
  return form == Form::thesis ? 2 * up : up + 1;  // floor + 2
}

double LogGpAllgather::recursive_doubling() const {
  const int rounds = doubling_allgather_rounds(ranks, form);
  const bool folds = Count{1} << rounds_of(ranks, 2) != ranks;
  // a fold of one block, P - 1 blocks among the core at most, and the whole vector back
  const Count blocks = folds ? 1 + (ranks - 1) + ranks : ranks - 1;
  return rounds * model.one_way() + bytes_time(blocks, rounds);
}

double LogGpAllgather::bruck(int ports) const {
  const int rounds = rounds_of(ranks, ports + 1);
  const double overheads = model.send_overhead + model.receive_overhead;
  const double round =
      overheads + std::max((ports - 1) * model.gap + model.latency, (ports - 1) * overheads);
  const double on_the_wire =
      form == Form::thesis ? rounds * bytes_time(1, 1)
                           : as_real((ranks - 1) * std::max<Count>(bytes - 1, 0)) * model.byte_time;
  return rounds * round + on_the_wire;
}

}  // namespace cartwright::validation::formulas
