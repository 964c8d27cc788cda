// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Allreduces by recursive multiplying in the pipelined latency-bandwidth model, in which a burst
/// of b messages takes a_p + b a_r (Rüfenacht 2020, 4.4-4.6); c = a_p / a_r.
namespace cartwright::validation::formulas {

/// b_opt: messages in a stage for which an allreduce by equal factors b + 1 is fastest, as a real
/// number; at least 1 (5.8). Below c = 2 ln 2 - 1 nothing beats b = 1.
double best_burst(double ratio);
/// b_upper: the largest b that is no slower than b = 1; at least 1 (5.9).
double largest_burst(double ratio);
/// floor(b_upper) + 1: the largest factor that a schedule should use.
int largest_factor(double ratio);

}  // namespace cartwright::validation::formulas
