// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/log_gp.hpp>

namespace cartwright::plan::formulas {

LogGp log_gp_of(const Network& network, Count bytes) {
  return {network.latency.at(bytes), network.send_overhead.at(bytes),
          network.receive_overhead.at(bytes), network.gap.at(bytes), network.byte_time.at(bytes)};
}

double burst_time(const LogGp& model, Count messages, Count bytes) {
  const double one = bytes == 0 ? 0.0 : static_cast<double>(bytes - 1) * model.byte_time;
  const double interval = std::max(model.send_overhead, model.gap + one);
  return model.one_way() + one + static_cast<double>(messages - 1) * interval;
}

}  // namespace cartwright::plan::formulas
