// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/network.hpp>
#include <utility>

namespace cartwright::plan {

Network hockney(BySize alpha, BySize beta) {
  Network network;
  network.model = "hockney";
  network.latency = alpha;
  network.gap = std::move(alpha);  // the port is held for α + β n: one message at a time
  network.byte_time = std::move(beta);
  network.first_byte_is_free = false;
  return network;
}

Network log_p(double latency, double send_overhead, double receive_overhead, double gap) {
  Network network = log_gp(latency, send_overhead, receive_overhead, gap, 0.0);
  network.model = "logp";
  return network;
}

Network log_gp(double latency, double send_overhead, double receive_overhead, double gap,
               double byte_time) {
  Network network;
  network.model = "loggp";
  network.latency = latency;
  network.send_overhead = send_overhead;
  network.receive_overhead = receive_overhead;
  network.gap = gap;
  network.byte_time = byte_time;
  return network;
}

Network log_fp(double latency, double send_overhead_min, double send_overhead_max,
               double receive_overhead, double gap, int free_burst) {
  Network network = log_gp(latency, send_overhead_max, receive_overhead, gap, 0.0);
  network.model = "logfp";
  network.send_overhead_min = send_overhead_min;
  network.varying_overhead = true;
  network.free_burst = free_burst;
  return network;
}

Network pipelined(BySize pipelining_latency, BySize required_latency, BySize beta) {
  Network network;
  network.model = "pipelined";
  network.latency = std::move(pipelining_latency);
  network.send_overhead = std::move(required_latency);
  network.byte_time = std::move(beta);
  network.bytes_hold_port = false;
  network.first_byte_is_free = false;
  return network;
}

}  // namespace cartwright::plan
