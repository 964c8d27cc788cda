// SPDX-License-Identifier: Apache-2.0
// The formulas and numbers of C. Viertel, Improving the Performance of Selected MPI Collective
// Communication Operations on InfiniBand Networks (Chemnitz 2007).
#pragma once

#include <cartwright/plan/models/logfp_formulas.hpp>
#include <cartwright/plan/models/loggp_formulas.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <functional>

#include "row.hpp"

namespace cartwright::reproduce::viertel_tables {

using Maker = std::function<plan::Schedule(plan::Team)>;

/// Of blocks of so many bytes for each rank.
plan::Simulation simulated(const Maker& make, int ranks, plan::Count bytes,
                           const plan::Machine& machine);
double simulated_us(const Maker& make, int ranks, plan::Count bytes, const plan::Machine& machine);
int rounds(const Maker& make, int ranks);

/// Section 5.1.4, in microseconds; its machine is inputs/machines/logfp-plot-2 or -4.
plan::formulas::LogFp plot_parameters(int free_burst);
plan::Machine plot_machine(int free_burst);
/// Section 4.3.3, in microseconds; g and G are in Figure 4.4 only, and here 3 us and 0.0012 us.
plan::formulas::LogGp measured_parameters();

inline constexpr auto parameters_note =
    "o_s = 2.4, o_r = 1.1, L = 4.5 us of section 4.3.3; g and G are in a lost figure only, here 3 "
    "us and "
    "1.2 ns per byte";

/// A row for a printed formula, evaluated, beside a simulation of our schedule. `most`: the formula
/// is a maximum, and a quicker simulation agrees with it; so does one that is slower by no more
/// than `extra`.
Row& add_formula(Table& table, std::string what, double formula, double simulated);
Row& add_most(Table& table, std::string what, double formula, double simulated, double extra = 0.0);
/// How much more our messages of several blocks may take to bring P - 1 blocks than the printed
/// ones: m blocks of s bytes have (m s - 1) G, where the thesis has m (s - 1) G.
double first_bytes(int ranks);
inline constexpr auto first_bytes_text = "the first bytes of blocks, free in the thesis";

// Chapter 4.
Table log_p_example();
Table measured_network();
// Section 5.1, scatter.
Table scatter_small();
Table scatter_large();
Table scatter_leaves();
Table scatter_optimal();
Table scatter_gain();
Table scatter_structure();
// Section 5.3, allgather.
Table allgather_small();
Table allgather_large();
Table allgather_structure();
// Chapter 7.
Table gather_measured();
Table allgather_measured();

}  // namespace cartwright::reproduce::viertel_tables
