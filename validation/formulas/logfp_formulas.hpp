// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/log_fp.hpp>

namespace cartwright::validation::formulas {

using namespace plan;
using namespace plan::formulas;

/// Scatter to `ranks` ranks (Viertel 2007, 5.1); trees assume that every round's burst is free
/// anew.
double linear_scatter_time(const LogFp& model, Count ranks);     ///< S1
double splitting_scatter_time(const LogFp& model, Count ranks);  ///< S2: R₂ (o_s(1) + L + o_r(1))
double n_way_scatter_time(const LogFp& model, Count ranks,
                          int fanout);  ///< S4: R (k o_s(k) + L + o_r(1))
/// The fewest ranks from which on the linear scatter stays slower than `other` up to `most` ranks;
/// 0 if it never does.
Count ranks_from_which_linear_loses(const LogFp& model, double (*other)(const LogFp&, Count),
                                    Count most);

/// Allgather on `ranks` ranks (Viertel 2007, 5.3).
double ring_allgather_time(const LogFp& model, Count ranks);           ///< A1
double modified_ring_allgather_time(const LogFp& model, Count ranks);  ///< A2
/// A3 and A4. Throw std::invalid_argument for odd ranks, and for ranks that aren't a power of two.
double neighbour_exchange_allgather_time(const LogFp& model, Count ranks);
double recursive_doubling_allgather_time(const LogFp& model, Count ranks);
/// A5, k ports, k ≤ f: R (o_s(k) + o_r(k) + max{(k-1) o_s(k) + L, (k-1)(o_s(k) + o_r(k))}).
double bruck_allgather_time(const LogFp& model, Count ranks, int ports);

}  // namespace cartwright::validation::formulas
