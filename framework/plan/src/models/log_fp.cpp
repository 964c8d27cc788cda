// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/log_fp.hpp>

namespace cartwright::plan::formulas {

double LogFp::send_overhead(Count messages) const {
  return send_overhead_min +
         (send_overhead_max - send_overhead_min) / static_cast<double>(messages);
}

double LogFp::receive_overhead(Count messages) const {
  return receive_overhead_min +
         (receive_overhead_max - receive_overhead_min) / static_cast<double>(messages);
}

double LogFp::burst(Count messages) const {
  const auto n = static_cast<double>(messages);
  const double overhead = send_overhead(messages);
  if (messages <= free_burst) return latency + n * overhead + receive_overhead(1);
  return latency + overhead + receive_overhead(1) +
         std::max((n - 1) * overhead, (n - free_burst) * gap);
}

}  // namespace cartwright::plan::formulas
