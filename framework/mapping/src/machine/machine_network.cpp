// SPDX-License-Identifier: Apache-2.0
#include "machine_network.hpp"

namespace cartwright::mapping {
namespace {

using rt::key;
using Keys = NetworkKeys;

plan::BySize seconds_or_none(const std::optional<TimeBySize>& given) {
  return given ? given->seconds : plan::BySize();
}
plan::BySize seconds_or_none(const std::optional<ByteTimeBySize>& given) {
  return given ? given->seconds : plan::BySize();
}

rt::Key<Keys, std::optional<TimeBySize>> latency_key() {
  return key("latency", &Keys::latency).about("time on the way, without the overheads");
}
rt::Key<Keys, std::optional<TimeBySize>> send_overhead_key() {
  return key("send_overhead", &Keys::send_overhead)
      .about("time that a message keeps the processor of its sender");
}
rt::Key<Keys, std::optional<TimeBySize>> receive_overhead_key() {
  return key("receive_overhead", &Keys::receive_overhead)
      .about("time that a message keeps the processor of its receiver");
}
rt::Key<Keys, std::optional<TimeBySize>> gap_key() {
  return key("gap", &Keys::gap).about("time that a message holds the port of its sender");
}
rt::Key<Keys, std::optional<ByteTimeBySize>> bandwidth_key() {
  return key("bandwidth", &Keys::bandwidth).about("of one message");
}
rt::Key<Keys, std::optional<TimeBySize>> send_overhead_min_key() {
  return key("send_overhead_min", &Keys::send_overhead_min)
      .about("of each message of a long burst");
}
rt::Key<Keys, std::optional<int>> free_burst_key() {
  return key("free_burst", &Keys::free_burst)
      .minimum(1)
      .about("messages of a burst that pass without a gap");
}

NetworkModel hockney_model() {
  return {"hockney",
          "α + β n",
          {latency_key(), bandwidth_key()},
          {"latency"},
          [](const Keys& keys) {
            return plan::hockney(keys.latency->seconds, seconds_or_none(keys.bandwidth));
          },
          [](const plan::Network& network) {
            Keys keys;
            keys.latency = {network.latency};
            keys.bandwidth = {network.byte_time};
            return keys;
          }};
}

plan::Network log_gp_network(const Keys& keys) {
  plan::Network network = plan::log_gp(0.0, 0.0, 0.0, 0.0, 0.0);
  network.latency = keys.latency->seconds;
  network.send_overhead = keys.send_overhead->seconds;
  network.receive_overhead = keys.receive_overhead->seconds;
  network.gap = keys.gap->seconds;
  network.byte_time = seconds_or_none(keys.bandwidth);
  return network;
}

Keys log_p_keys(const plan::Network& network) {
  Keys keys;
  keys.latency = {network.latency};
  keys.send_overhead = {network.send_overhead};
  keys.receive_overhead = {network.receive_overhead};
  keys.gap = {network.gap};
  return keys;
}

NetworkModel log_p_model() {
  return {"logp",
          "L, o, g",
          {latency_key(), send_overhead_key(), receive_overhead_key(), gap_key()},
          {"latency", "send_overhead", "receive_overhead", "gap"},
          [](const Keys& keys) {
            plan::Network network = log_gp_network(keys);
            network.model = plan::log_p(0.0, 0.0, 0.0, 0.0).model;
            return network;
          },
          log_p_keys};
}

NetworkModel log_gp_model() {
  return {"loggp",
          "L, o, g, and G per byte after the first",
          {latency_key(), send_overhead_key(), receive_overhead_key(), gap_key(), bandwidth_key()},
          {"latency", "send_overhead", "receive_overhead", "gap", "bandwidth"},
          log_gp_network,
          [](const plan::Network& network) {
            Keys keys = log_p_keys(network);
            keys.bandwidth = {network.byte_time};
            return keys;
          }};
}

NetworkModel log_fp_model() {
  return {"logfp",
          "LogP whose first messages of a burst pass without a gap",
          {latency_key(), send_overhead_min_key(),
           key("send_overhead_max", &Keys::send_overhead_max).about("of one message alone"),
           receive_overhead_key(), gap_key(), free_burst_key()},
          {"latency", "send_overhead_min", "send_overhead_max", "receive_overhead", "gap",
           "free_burst"},
          [](const Keys& keys) {
            plan::Network network = plan::log_fp(0.0, 0.0, 0.0, 0.0, 0.0, *keys.free_burst);
            network.latency = keys.latency->seconds;
            network.send_overhead = keys.send_overhead_max->seconds;
            network.send_overhead_min = keys.send_overhead_min->seconds;
            network.receive_overhead = keys.receive_overhead->seconds;
            network.gap = keys.gap->seconds;
            return network;
          },
          [](const plan::Network& network) {
            Keys keys = log_p_keys(network);
            keys.send_overhead.reset();
            keys.send_overhead_max = {network.send_overhead};
            keys.send_overhead_min = {network.send_overhead_min};
            keys.free_burst = network.free_burst;
            return keys;
          }};
}

NetworkModel pipelined_model() {
  return {"pipelined",
          "a burst of b messages takes a_p + b a_r + n β",
          {key("pipelining_latency", &Keys::pipelining_latency)
               .about("a_p: overlaps with other messages"),
           key("required_latency", &Keys::required_latency)
               .about("a_r: keeps the processor of the sender"),
           bandwidth_key()},
          {"pipelining_latency", "required_latency"},
          [](const Keys& keys) {
            return plan::pipelined(keys.pipelining_latency->seconds, keys.required_latency->seconds,
                                   seconds_or_none(keys.bandwidth));
          },
          [](const plan::Network& network) {
            Keys keys;
            keys.pipelining_latency = {network.latency};
            keys.required_latency = {network.send_overhead};
            keys.bandwidth = {network.byte_time};
            return keys;
          }};
}

plan::Network general_network(const Keys& keys) {
  plan::Network network;
  network.model = keys.called.value_or("general");
  network.send_overhead = seconds_or_none(keys.send_overhead);
  network.send_overhead_min = seconds_or_none(keys.send_overhead_min);
  network.varying_overhead = keys.send_overhead_min.has_value();
  network.receive_overhead = seconds_or_none(keys.receive_overhead);
  network.latency = seconds_or_none(keys.latency);
  network.gap = seconds_or_none(keys.gap);
  network.byte_time = seconds_or_none(keys.bandwidth);
  network.free_burst = keys.free_burst.value_or(network.free_burst);
  network.bytes_hold_port = keys.bytes_hold_port.value_or(network.bytes_hold_port);
  network.first_byte_is_free = keys.first_byte_is_free.value_or(network.first_byte_is_free);
  return network;
}

Keys general_keys(const plan::Network& network) {
  Keys keys = log_p_keys(network);
  keys.called = network.model;
  if (network.varying_overhead) keys.send_overhead_min = {network.send_overhead_min};
  keys.bandwidth = {network.byte_time};
  keys.free_burst = network.free_burst;
  keys.bytes_hold_port = network.bytes_hold_port;
  keys.first_byte_is_free = network.first_byte_is_free;
  return keys;
}

NetworkModel general_model() {
  return {"general",
          "everything that the simulator knows of a message",
          {key("called", &Keys::called).about("name of the model, for people"), latency_key(),
           send_overhead_key(), send_overhead_min_key(), receive_overhead_key(), gap_key(),
           bandwidth_key(), free_burst_key(),
           key("bytes_hold_port", &Keys::bytes_hold_port)
               .about("whether the bytes of one message delay the next"),
           key("first_byte_is_free", &Keys::first_byte_is_free)
               .about("whether n bytes take n - 1 times the time of one")},
          {},
          general_network,
          general_keys};
}

}  // namespace

const std::vector<NetworkModel>& network_models() {
  static const std::vector<NetworkModel> models{hockney_model(),   log_p_model(),
                                                log_gp_model(),    log_fp_model(),
                                                pipelined_model(), general_model()};
  return models;
}

}  // namespace cartwright::mapping
