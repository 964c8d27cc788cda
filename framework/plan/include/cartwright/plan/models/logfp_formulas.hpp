// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>

namespace cartwright::plan::formulas {

/// LogfP for small messages (Hoefler 2006; Viertel 2007, 3.2.5): the first f messages of a burst
/// pass without a gap, and overheads shrink when several messages are handled back to back. One
/// unit of time.
struct LogFp {
  double latency = 0.0;
  double send_overhead_min = 0.0, send_overhead_max = 0.0;
  double receive_overhead_min = 0.0, receive_overhead_max = 0.0;
  double gap = 0.0;
  int free_burst = 1;  ///< f

  /// o(n), per message of n: o_min + (o_max - o_min) / n. Reconstructed: what the thesis says of
  /// it is lost; o(1) = o_max, and a long burst costs o_min each.
  [[nodiscard]] double send_overhead(Count messages) const;
  [[nodiscard]] double receive_overhead(Count messages) const;

  [[nodiscard]] double one_way() const { return send_overhead(1) + latency + receive_overhead(1); }
  /// From the start of a burst to as many receivers to the end of its last message: L + n o_s(n) +
  /// o_r(1) if n ≤ f, else L + o_s(n) + o_r(1) + max{(n-1) o_s(n), (n-f) g}.
  [[nodiscard]] double burst(Count messages) const;
};

/// Scatter to `ranks` ranks (Viertel 2007, 5.1); trees assume that every round's burst is free
/// anew.
double linear_scatter_time(const LogFp& model, Count ranks);     ///< S1
double splitting_scatter_time(const LogFp& model, Count ranks);  ///< S2: R₂ (o_s(1) + L + o_r(1))
double n_way_scatter_time(const LogFp& model, Count ranks,
                          int fanout);  ///< S4: R (k o_s(k) + L + o_r(1))
/// The fan-out up to `most` with which S4 is fastest; the smallest of equals.
int best_fanout(const LogFp& model, Count ranks, int most);
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

}  // namespace cartwright::plan::formulas
