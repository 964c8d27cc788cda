// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/network.hpp>
#include <cartwright/rt/schema.hpp>
#include <optional>
#include <string>
#include <vector>

#include "machine_codecs.hpp"

namespace cartwright::mapping {

/// What a section named for a model may contain; which of it, depends on the model.
struct NetworkKeys {
  std::optional<std::string> called;
  std::optional<TimeBySize> latency, pipelining_latency, required_latency;
  std::optional<TimeBySize> send_overhead, send_overhead_min, send_overhead_max, receive_overhead;
  std::optional<TimeBySize> gap;
  std::optional<ByteTimeBySize> bandwidth;
  std::optional<int> free_burst;
  std::optional<bool> bytes_hold_port, first_byte_is_free;
};

/// One way to describe a network.
struct NetworkModel {
  std::string name, about;
  rt::Schema<NetworkKeys> schema;
  std::vector<std::string> required;  ///< keys that can't be left out
  plan::Network (*network)(const NetworkKeys& keys);
  NetworkKeys (*keys)(const plan::Network& network);  ///< as far as the model can say it
};

/// hockney, logp, loggp, logfp, pipelined, general.
[[nodiscard]] const std::vector<NetworkModel>& network_models();

}  // namespace cartwright::mapping
