// SPDX-License-Identifier: Apache-2.0
// The tables of M. Rüfenacht, Towards Larger Scale Collective Operations in MPI (Edinburgh 2020).
#pragma once

#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <functional>
#include <span>
#include <string>

#include "row.hpp"

namespace cartwright::reproduce::ruefenacht_tables {

/// Table 4.1, messages of 8 bytes, in microseconds.
inline constexpr double archer_pipelining = 0.88;
inline constexpr double archer_required = 0.38;

/// b_opt, as section 5.4.1 reads it off Figure 5.6.
inline constexpr double printed_best_burst = 3.258;
/// The c = a_p / a_r of chapter 5: (b + 1) ln(b + 1) - b with that b.
double chapter_5_ratio();

/// One rank on each node, without contention, with the parameters of Table 4.1 for 8 bytes.
plan::Machine archer();
/// Section 5.6: 500 ns, 100 ns, 0.4 ns per byte, and 10 ns of computing in each stage in which
/// something is received.
plan::Machine fennel();
/// An allreduce of 8 bytes by recursive multiplying.
plan::Simulation simulated(const plan::Stages& stages, const plan::Machine& machine);
/// Calls with every ordered factorisation of a number of ranks.
void for_each_factorisation(int ranks, const std::function<void(std::span<const int>)>& call);

// Chapter 4.
Table calibration();
Table calibration_fits();
Table model_comparison();
// Sections 5.2 to 5.4.
Table prior_algorithms();
Table best_bursts();
Table factorisations();
Table stage_counts();
Table heuristic_schedules();
Table heuristic_averages();
// Section 5.5.
Table measured_gains();
Table measured_times();
Table measured_schedules();
Table message_counts();
Table other_measurements();
// Section 5.6 and chapter 6.
Table simulator();
Table queues();

}  // namespace cartwright::reproduce::ruefenacht_tables
