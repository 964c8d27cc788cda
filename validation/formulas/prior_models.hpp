// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace cartwright::validation::formulas {

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
}  // namespace cartwright::validation::formulas
