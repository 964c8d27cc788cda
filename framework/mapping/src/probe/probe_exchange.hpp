// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_samples.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::mapping {

/// What one member does in one measurement. Members are ranks 0, 1, … of the communicator.
class ProbeExchange {
 public:
  ProbeExchange(const rt::Communicator& active, const ProbeSpec& spec);

  /// Before the common start: posts the receives of what is going to be timed.
  void prepare();
  /// Seconds that this rank measured; 0 on ranks that only answer.
  [[nodiscard]] double run();
  /// Seconds of the last run until the last send call returned.
  [[nodiscard]] double call_time() const noexcept { return call_time_; }
  /// Mean of the delays as they were; 0 on ranks that had none.
  [[nodiscard]] double mean_delay() const noexcept { return spins_ > 0 ? spun_ / spins_ : 0.0; }

 private:
  [[nodiscard]] bool sends() const noexcept { return me_ % 2 == 0; }
  [[nodiscard]] rt::Rank peer() const noexcept { return rt::Rank{me_ ^ 1}; }
  [[nodiscard]] std::span<std::byte> incoming(int message);
  [[nodiscard]] std::span<const std::byte> outgoing() const;
  void post_receives(rt::Rank from);
  void send_all(rt::Rank to, double delay);
  void answer(rt::Rank to);
  void await_answer(rt::Rank from);
  void wait_for_messages();

  void ping_pong();
  void window();
  void multicast();
  void copy();
  void combine();

  const rt::Communicator& active_;
  const ProbeSpec& spec_;
  int me_;
  double call_time_ = 0.0;
  double spun_ = 0.0;
  int spins_ = 0;
  std::vector<std::byte> sent_, received_;
  std::vector<double> summands_, sums_;
  std::vector<rt::Message> messages_;
};

}  // namespace cartwright::mapping
