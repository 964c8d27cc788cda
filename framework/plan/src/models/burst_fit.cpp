// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/burst_fit.hpp>
#include <cartwright/plan/models/fit.hpp>
#include <cmath>
#include <map>
#include <vector>

namespace cartwright::plan::fits {
namespace {

/// Medians by number of messages.
std::map<int, BurstSample> medians_of_bursts(std::span<const BurstSample> samples) {
  std::map<int, std::pair<std::vector<double>, std::vector<double>>> gathered;
  for (const auto& sample : samples) {
    gathered[sample.messages].first.push_back(sample.call_time);
    gathered[sample.messages].second.push_back(sample.arrival);
  }
  std::map<int, BurstSample> medians;
  for (auto& [messages, times] : gathered)
    medians[messages] = {messages, median(std::move(times.first)), median(std::move(times.second))};
  return medians;
}

void fit_burst_overhead(const std::map<int, BurstSample>& bursts, formulas::LogFp& model) {
  std::vector<Point> calls;
  calls.reserve(bursts.size());
  for (const auto& [messages, burst] : bursts) calls.push_back({messages - 1.0, burst.call_time});
  const Line line = fit_line(calls);
  model.send_overhead_max = line.intercept;
  model.send_overhead_min = line.slope;
}

/// Of long bursts, the arrival less the overhead, over the number of messages.
Line fit_burst_gap(const std::map<int, BurstSample>& bursts, const formulas::LogFp& model) {
  const int half = bursts.rbegin()->first / 2;
  std::vector<Point> tail;
  for (const auto& [messages, burst] : bursts) {
    if (messages > half)
      tail.push_back(
          {static_cast<double>(messages), burst.arrival - model.send_overhead(messages)});
  }
  return fit_line(tail);
}

}  // namespace

BurstFit fit_bursts(std::span<const BurstSample> samples, double receive_overhead) {
  constexpr std::size_t fewest = 8;
  BurstFit fit;
  const auto bursts = medians_of_bursts(samples);
  if (bursts.size() < fewest || bursts.begin()->first != 1) {
    fit.refusal = "bursts of 1 to at least 8 messages are needed";
    return fit;
  }
  formulas::LogFp& model = fit.model;
  model.receive_overhead_min = model.receive_overhead_max = receive_overhead;
  fit_burst_overhead(bursts, model);
  const double single = bursts.begin()->second.arrival;
  model.latency = single - model.send_overhead(1) - receive_overhead;
  const Line tail = fit_burst_gap(bursts, model);
  model.gap = tail.slope;
  const double free = (model.latency + receive_overhead - tail.intercept) / tail.slope;
  const int longest = bursts.rbegin()->first;
  const double waiting = tail.at(longest) - model.latency - receive_overhead;
  const double sending = (longest - 1) * model.send_overhead(longest);
  constexpr double clearly = 1.05;
  if (waiting < clearly * sending) {
    fit.refusal = "long bursts show no gap above the overhead of their messages";
  } else if (model.latency <= 0.0) {
    fit.refusal = "the overheads explain more than a whole message (L <= 0)";
  } else if (free < 0.5) {
    fit.refusal = "not even one message passes without a gap (f < 1)";
  } else {
    model.free_burst = static_cast<int>(std::lround(free));
  }
  return fit;
}

}  // namespace cartwright::plan::fits
