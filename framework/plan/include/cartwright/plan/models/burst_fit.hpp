// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/log_fp.hpp>
#include <span>
#include <string>

namespace cartwright::plan::fits {

/// A burst of messages to as many receivers: the time that the calls took the sender, and the time
/// until the last message had arrived. Seconds.
struct BurstSample {
  int messages;
  double call_time;
  double arrival;
};

/// LogfP's parameters but one: the receive overhead is measured elsewhere and given.
struct BurstFit {
  formulas::LogFp model;
  std::string refusal;  ///< why the parameters mean nothing; empty if they do

  [[nodiscard]] bool usable() const { return refusal.empty(); }
};

/// From medians of bursts of 1, 2, … N messages, N at least 8 and well above f: n o(n) = o_max +
/// (n-1) o_min is a line through the calls' times; bursts of more than N / 2 messages arrive at L +
/// o(n) + o_r + (n-f) g, a line that gives g and, with the single message, f.
BurstFit fit_bursts(std::span<const BurstSample> samples, double receive_overhead);

}  // namespace cartwright::plan::fits
