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

}  // namespace cartwright::plan::formulas
