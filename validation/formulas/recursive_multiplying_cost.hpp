// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace cartwright::validation::formulas {

/// The pipelined latency-bandwidth model for messages of one size (Rüfenacht 2020, 4.4-4.6): a
/// burst of b messages takes pipelining + b · required. Any one unit of time.
struct PipelinedLatency {
  double pipelining = 0.0;   ///< a_p: overlaps with other messages
  double required = 1.0;     ///< a_r: keeps the sender's processor
  double stage_extra = 0.0;  ///< of every stage besides: n β and the combining

  [[nodiscard]] double ratio() const {
    return pipelining / required;
  }  ///< c, which alone decides on schedules
};

/// b_opt: messages in a stage for which an allreduce by equal factors b + 1 is fastest, as a real
/// number; at least 1 (Rüfenacht 2020, 5.8). `ratio` is c = a_p / a_r; below 2 ln 2 - 1 nothing
/// beats b = 1.
double best_burst(double ratio);
/// b_upper: the largest b that is no slower than b = 1; at least 1 (5.9).
double largest_burst(double ratio);
/// The integer factor f that minimises (c + f - 1) / ln f, the time per unit of log P. Rounding
/// b_opt (5.10) is wrong near the switches.
int best_factor(double ratio);
/// floor(b_upper) + 1: the largest factor that a schedule should use.
int largest_factor(double ratio);
/// c from which on factors f beat factors 2: ((f - 1) - log2 f) / (log2 f - 1); f ≥ 3.
double ratio_from_which_better(int factor);

/// Σ a_p + (f - 1) a_r (5.7, mixed factors).
double factors_cost(const PipelinedLatency& latency, std::span<const int> factors);
/// With `remainder` ranks merged into the first stage and served by the last (5.11, where g is the
/// number of groups of the last stage). Throws std::invalid_argument for fewer than two factors.
double merged_cost(const PipelinedLatency& latency, std::span<const int> factors,
                   std::int64_t remainder);
/// With groups of `base` ranks collapsed before and expanded after: (a_p + a_r) + (a_p + (m - 1)
/// a_r) more (5.4.2). An upper bound: stages of different ranks overlap.
double split_cost(const PipelinedLatency& latency, std::span<const int> factors, int base);

/// Messages of all ranks: Σ K (f - 1) with K = Π f (5.12), and r (f_first + f_last) for merged
/// ranks, and 2 (T / m) (m - 1) for T collapsed ones.
std::int64_t factors_messages(std::span<const int> factors);
std::int64_t merged_messages(std::span<const int> factors, std::int64_t remainder);
std::int64_t split_messages(std::span<const int> factors, std::int64_t threshold, int base);

}  // namespace cartwright::validation::formulas
