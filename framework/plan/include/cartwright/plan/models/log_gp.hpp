// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/models/network.hpp>

namespace cartwright::plan::formulas {

/// LogP and LogGP with separate overheads (Alexandrov 1995; Viertel 2007, 3.2). One unit of time.
struct LogGp {
  double latency = 0.0;           ///< L, without the overheads
  double send_overhead = 0.0;     ///< o_s
  double receive_overhead = 0.0;  ///< o_r
  double gap = 0.0;               ///< g
  double byte_time = 0.0;         ///< G, per byte after the first

  [[nodiscard]] double one_way() const {
    return send_overhead + latency + receive_overhead;
  }  ///< L'
};

/// The parameters of a network for messages of one size; times in seconds.
LogGp log_gp_of(const Network& network, Count bytes);

/// `messages` messages of `bytes` from one sender to as many receivers, to the end of the last:
/// o_s + (m - 1) max(o_s, g + (s - 1) G) + (s - 1) G + L + o_r.
double burst_time(const LogGp& model, Count messages, Count bytes = 1);

}  // namespace cartwright::plan::formulas
