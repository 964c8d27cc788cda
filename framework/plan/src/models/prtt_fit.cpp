// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/plan/models/prtt_fit.hpp>
#include <map>
#include <tuple>

namespace cartwright::plan::fits {
namespace {

/// Medians by (bytes, messages, delay).
using RoundTripMedians = std::map<std::tuple<Count, int, double>, double>;

RoundTripMedians medians_of_round_trips(std::span<const RoundTripSample> samples) {
  std::map<std::tuple<Count, int, double>, std::vector<double>> gathered;
  for (const auto& sample : samples)
    gathered[{sample.bytes, sample.messages, sample.delay}].push_back(sample.time);
  RoundTripMedians medians;
  for (auto& [what, times] : gathered) medians[what] = median(std::move(times));
  return medians;
}

/// The time of one message more in a burst, for bursts with a single round trip to compare with.
struct RoundTripStep {
  Count bytes;
  double delay;
  double single;  // PRTT(1, 0, s)
  double step;    // (PRTT(n, d, s) - single) / (n - 1), mean over n
};

std::vector<RoundTripStep> round_trip_steps(const RoundTripMedians& medians) {
  std::map<std::pair<Count, double>, std::pair<double, int>> sums;
  for (const auto& [what, time] : medians) {
    const auto& [bytes, messages, delay] = what;
    const auto single = medians.find({bytes, 1, 0.0});
    if (messages < 2 || single == medians.end()) continue;
    auto& [sum, count] = sums[{bytes, delay}];
    sum += (time - single->second) / (messages - 1);
    ++count;
  }
  std::vector<RoundTripStep> steps;
  steps.reserve(sums.size());
  for (const auto& [what, sum] : sums)
    steps.push_back(
        {what.first, what.second, medians.at({what.first, 1, 0.0}), sum.first / sum.second});
  return steps;
}

/// Median over the bursts whose delay hides the gap.
std::vector<double> overheads_of_round_trips(std::span<const RoundTripStep> steps) {
  std::vector<double> overheads;
  for (const auto& step : steps)
    if (step.delay >= step.single) overheads.push_back(step.step - step.delay);
  return overheads;
}

double bytes_of_round_trip(double byte_time, Count bytes, const RoundTripSetting& setting) {
  const Count reply = setting.reply_bytes == 0 ? bytes : setting.reply_bytes;
  return static_cast<double>(std::max<Count>(bytes - 1, 0) + std::max<Count>(reply - 1, 0)) *
         byte_time;
}

void fit_round_trip_gaps(std::span<const RoundTripStep> steps, double tolerance,
                         RoundTripFit& fit) {
  std::vector<Point> points;
  for (const auto& step : steps) {
    if (step.delay != 0.0) continue;
    if (step.step <= fit.model.send_overhead * (1.0 + tolerance)) {
      ++fit.hidden_sizes;
      continue;
    }
    points.push_back({static_cast<double>(step.bytes - 1), step.step});
    fit.sizes.push_back(step.bytes);
  }
  if (points.size() < 3) {
    fit.refusal = "fewer than three sizes show a gap above the overhead: send larger messages";
    return;
  }
  fit.gaps = fit_pieces(points, tolerance);
  for (std::size_t i = 1; i < fit.gaps.size(); ++i)
    fit.limits.push_back(fit.sizes[fit.gaps[i].first]);
  fit.model.gap = fit.gaps.front().line.intercept;
  fit.model.byte_time = fit.gaps.front().line.slope;
  if (fit.model.byte_time < 0.0) fit.refusal = "larger messages come out faster (G < 0)";
  if (fit.model.gap <= 0.0) fit.refusal = "the gap comes out negative: too few small messages";
}

/// From the smallest size that was sent alone: its bytes matter least.
void fit_round_trip_latency(std::span<const RoundTripStep> steps, const RoundTripSetting& setting,
                            RoundTripFit& fit) {
  const RoundTripStep& smallest =
      *std::ranges::min_element(steps, {}, [](const auto& step) { return step.bytes; });
  const double bytes = bytes_of_round_trip(fit.model.byte_time, smallest.bytes, setting);
  fit.model.latency = latency_of_round_trip(smallest.single - bytes, fit.model.send_overhead,
                                            fit.model.receive_overhead);
  if (fit.model.latency <= 0.0)
    fit.refusal = "the overheads explain more than the whole round trip (L <= 0)";
}

}  // namespace

double round_trip_time(const formulas::LogGp& model, int messages, double delay, Count bytes,
                       const RoundTripSetting& setting) {
  const double gap =
      model.gap + static_cast<double>(std::max<Count>(bytes - 1, 0)) * model.byte_time;
  return 2.0 * model.one_way() + bytes_of_round_trip(model.byte_time, bytes, setting) +
         (messages - 1) * std::max(model.send_overhead + delay, gap);
}

RoundTripFit fit_round_trips(std::span<const RoundTripSample> samples,
                             const RoundTripSetting& setting, double tolerance) {
  RoundTripFit fit;
  const bool flow_controlled = std::ranges::any_of(samples, [&](const auto& sample) {
    return setting.credits > 0 && sample.messages > setting.credits;
  });
  if (flow_controlled) {
    fit.refusal = "bursts longer than the posted receives time flow control, not the network";
    return fit;
  }
  const auto steps = round_trip_steps(medians_of_round_trips(samples));
  const auto overheads = overheads_of_round_trips(steps);
  if (overheads.empty()) {
    fit.refusal = "no burst whose delay hides the gap: take delays of at least a round trip";
    return fit;
  }
  fit.model.send_overhead = fit.model.receive_overhead = median(overheads);
  if (fit.model.send_overhead < 0.0) {
    fit.refusal = "the overhead comes out negative: the delays weren't kept";
    return fit;
  }
  fit_round_trip_gaps(steps, tolerance, fit);
  if (fit.usable()) fit_round_trip_latency(steps, setting, fit);
  return fit;
}

double latency_of_round_trip(double round_trip, double send_overhead, double receive_overhead) {
  return round_trip / 2.0 - send_overhead - receive_overhead;
}

}  // namespace cartwright::plan::fits
