// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/by_size.hpp>

#include <string>

namespace cartwright::plan {

/// What a message between two ranks costs at its two ends and on its way. One set of parameters
/// covers the models of the literature; functions below make each. In seconds and seconds per byte.
///
/// A rank handles its steps one after the other. Of a message of n bytes that it starts to send at
/// time t:
/// - its processor is busy until t + send_overhead;
/// - its port takes the message at s = max(t + send_overhead, the time from which the port is free
/// for it), and is then
///   held for `gap` plus, if bytes_hold_port, the bytes' time;
/// - the message has arrived at s + latency + the bytes' time, where the bytes' time is byte_time ·
/// n (or n - 1, see
///   first_byte_is_free), and waits there until the receiver's step is due;
/// - the receiver's processor is then busy for receive_overhead.
/// With several ports, the port that is free first takes the message.
struct Network {
  std::string model;  ///< name of the model, for people

  BySize send_overhead;      ///< o_s; in a burst of n messages o_min + (o_s - o_min) / n each
  BySize send_overhead_min;  ///< o_min; only if varying_overhead
  BySize receive_overhead;   ///< o_r
  BySize latency;            ///< L
  BySize gap;                ///< g
  BySize byte_time;          ///< G, or β

  bool varying_overhead = false;
  int free_burst = 1;              ///< LogfP's f: so many messages of a burst pass without a gap
  bool bytes_hold_port = true;     ///< the bytes of one message delay the next
  bool first_byte_is_free = true;  ///< (n - 1) G rather than n G
};

/// Hockney: α + β n; one message at a time leaves a rank.
Network hockney(BySize alpha, BySize beta);
/// LogP (Culler 1993): o, g, L. At most ceil(L / g) messages in flight isn't enforced.
Network log_p(double latency, double send_overhead, double receive_overhead, double gap);
/// LogGP (Alexandrov 1995): LogP and G per byte after the first.
Network log_gp(double latency, double send_overhead, double receive_overhead, double gap,
               double byte_time);
/// LogfP (Hoefler 2006): the first f messages of a burst pass without a gap; o_s(n) = o_min +
/// (o_max - o_min) / n.
Network log_fp(double latency, double send_overhead_min, double send_overhead_max,
               double receive_overhead, double gap, int free_burst);
/// Pipelined latency-bandwidth (Rüfenacht 2020, 4.4-4.6): b messages take a_p + b a_r + n β.
Network pipelined(BySize pipelining_latency, BySize required_latency, BySize beta = 0.0);

}  // namespace cartwright::plan
