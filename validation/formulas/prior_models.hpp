// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace cartwright::validation::formulas {

/// One superstep of the bulk synchronous model: what each process computes (s) and how many
/// messages or bytes it sends or receives, whichever are more.
struct Superstep {
  std::span<const double> work;
  std::span<const double> messages;
};

/// Σ over supersteps of max w + g max h + l (Valiant 1990; Rüfenacht 2020, 4.1, whose print lacks
/// the sum).
double bulk_synchronous_time(std::span<const Superstep> supersteps, double gap, double latency);

/// Latency-bandwidth with computation (Rüfenacht 2020, 4.2 and 4.3): of a process, only one of
/// send, network and processor is busy at a time. In seconds, and seconds per byte.
struct LatencyBandwidth {
  double latency = 0.0;       ///< α
  double byte_time = 0.0;     ///< β
  double combine_time = 0.0;  ///< γ

  [[nodiscard]] double message(double bytes) const { return latency + bytes * byte_time; }
  [[nodiscard]] double combined_message(double bytes) const {
    return message(bytes) + bytes * combine_time;
  }
};

/// Allreduce by reduction to a root and broadcast, both by binomial trees (5.1).
double tree_allreduce_time(const LatencyBandwidth& model, std::int64_t ranks, double bytes);
/// By recursive doubling (5.2); floor(log2 P) + 2 stages if P is no power of two (5.3, printed as
/// log2 P + 2).
double recursive_doubling_time(const LatencyBandwidth& model, std::int64_t ranks, double bytes);
/// By reduce-scatter and allgather (Rabenseifner; 5.4). Throws std::invalid_argument unless the
/// ranks are a power of two.
double composite_allreduce_time(const LatencyBandwidth& model, std::int64_t ranks, double bytes);
/// The size in bytes from which on the composite algorithm is faster (5.5 is zero); infinite for
/// P = 2 without γ. Throws std::invalid_argument unless the ranks are a power of two above 1.
double composite_crossover(const LatencyBandwidth& model, std::int64_t ranks);

/// LogP parameters as pipelined ones: a_r = o, a_p = 2 L + o (Rüfenacht 2020, 4.2.5); the gap is
/// dropped.
struct PipelinedOfLogP {
  double pipelining, required;
};
constexpr PipelinedOfLogP pipelined_of_log_p(double latency, double overhead) {
  return {2.0 * latency + overhead, overhead};
}

}  // namespace cartwright::validation::formulas
