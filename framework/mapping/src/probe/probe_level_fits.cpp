// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <cartwright/mapping/probe/probe_repetition.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

namespace cartwright::mapping {
namespace {

namespace fits = plan::fits;
using plan::Count;

class LevelReader {
 public:
  LevelReader(const ProbeSamples& samples, std::size_t level)
      : samples_(samples), level_(static_cast<int>(level)) {}

  /// Calls `use` with each record of a test at this level.
  template <class Use>
  void each(ProbeTest test, const Use& use) const {
    for (const ProbeRecord& record : samples_.records)
      if (record.spec.level == level_ && record.spec.test == test && !record.times.empty())
        use(record);
  }

  [[nodiscard]] std::vector<fits::RoundTrip> round_trips() const {
    std::map<Count, std::vector<double>> times;
    each(ProbeTest::ping_pong, [&](const ProbeRecord& record) {
      if (record.pairs() == 1) times[record.spec.bytes].push_back(quiet_time(record));
    });
    std::vector<fits::RoundTrip> medians;
    medians.reserve(times.size());
    for (auto& [bytes, values] : times) medians.push_back({bytes, fits::median(std::move(values))});
    return medians;
  }

  /// Bytes per second of the fastest size.
  [[nodiscard]] double best_bandwidth(ProbeTest test, double directions) const {
    double best = 0.0;
    each(test, [&](const ProbeRecord& record) {
      if (record.pairs() == 1) best = std::max(best, directions * window_rate(record));
    });
    return best;
  }

  [[nodiscard]] std::vector<PairsPoint> pairs(ProbeTest test, Count bytes,
                                              double (*value)(const ProbeRecord&)) const {
    std::map<int, std::vector<double>> values;
    each(test, [&](const ProbeRecord& record) {
      if (record.spec.bytes == bytes) values[record.pairs()].push_back(value(record));
    });
    std::vector<PairsPoint> points;
    points.reserve(values.size());
    for (auto& [count, found] : values) points.push_back({count, fits::median(std::move(found))});
    return points;
  }

  /// Sizes of which more than one pair, or the only one, exchanged messages.
  [[nodiscard]] Count size_of_pairs(bool largest) const {
    int most = 0;
    each(ProbeTest::ping_pong, [&](const ProbeRecord& r) { most = std::max(most, r.pairs()); });
    Count found = 0;
    each(ProbeTest::ping_pong, [&](const ProbeRecord& record) {
      if (record.pairs() != most) return;
      const Count bytes = record.spec.bytes;
      if (found == 0 || (largest ? bytes > found : bytes < found)) found = bytes;
    });
    return found;
  }

  /// The lower quartile: a rank that other work interrupts is late, never early.
  static double quiet_time(const ProbeRecord& record) { return summarise(record.times).lower; }
  static double window_rate(const ProbeRecord& record) {
    return static_cast<double>(record.spec.bytes) * record.spec.messages *
           static_cast<double>(record.pairs()) / quiet_time(record);
  }
  static double exchange_rate(const ProbeRecord& record) {
    return fits::pairs_bandwidth(record.pairs(), record.spec.bytes, quiet_time(record));
  }
  static double half_round_trip(const ProbeRecord& record) { return quiet_time(record) / 2.0; }

 private:
  const ProbeSamples& samples_;
  int level_;
};

/// Fits throw where points are missing: that is a reason to refuse, too.
template <class Fit, class Make>
Fit fit_or_refuse(const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    Fit fit;
    fit.refusal = error.what();
    return fit;
  }
}

void fit_parametrised(const LevelReader& reader, LevelFits& level) {
  constexpr double tolerance = 0.15;  // pieces are protocols, not noise
  int burst = 0;
  reader.each(ProbeTest::parametrised, [&](const ProbeRecord& record) {
    const ProbeSpec& spec = record.spec;
    burst = std::max(burst, spec.messages);
    const double limit = summarise(record.times).median;
    for (const double time : record.times)
      if (time <= limit)
        level.parametrised_samples.push_back({spec.messages, spec.delay, spec.bytes, time});
  });
  const fits::RoundTripSetting setting{.reply_bytes = 1, .credits = burst};
  level.log_gp = fit_or_refuse<fits::RoundTripFit>(
      [&] { return fits::fit_round_trips(level.parametrised_samples, setting, tolerance); });
}

/// The answer's way back is half of the smallest single round trip.
void fit_log_fp(const LevelReader& reader, LevelFits& level) {
  double back = 0.0;
  reader.each(ProbeTest::parametrised, [&](const ProbeRecord& record) {
    const double half = LevelReader::half_round_trip(record);
    if (record.spec.messages == 1 && (back == 0.0 || half < back)) back = half;
  });
  Count bytes = 0;  // the size of which there are bursts of three
  reader.each(ProbeTest::parametrised, [&](const ProbeRecord& record) {
    if (record.spec.messages == 3) bytes = record.spec.bytes;
  });
  reader.each(ProbeTest::parametrised, [&](const ProbeRecord& record) {
    if (record.spec.bytes != bytes || record.spec.delay > 0.0) return;
    const std::size_t count = std::min(record.times.size(), record.call_times.size());
    const double limit = summarise(record.times).median;
    for (std::size_t i = 0; i < count; ++i)
      if (record.times[i] <= limit)
        level.burst_samples.push_back(
            {record.spec.messages, record.call_times[i], record.times[i] - back});
  });
  const double overhead = level.log_gp.usable() ? level.log_gp.model.receive_overhead : 0.0;
  level.log_fp = fit_or_refuse<fits::BurstFit>(
      [&] { return fits::fit_bursts(level.burst_samples, overhead); });
}

void fit_pipelined(const LevelReader& reader, LevelFits& level) {
  reader.each(ProbeTest::multicast, [&](const ProbeRecord& record) {
    for (const double time : record.times)
      level.multicast_samples.push_back({static_cast<int>(record.spec.members.size()) - 1, time});
  });
  level.pipelined = fit_or_refuse<fits::PipelinedFit>(
      [&] { return fits::fit_multicast(level.multicast_samples); });
}

void note_refusal(LevelFits& level, const char* fit, const std::string& refusal) {
  if (!refusal.empty()) level.notes.push_back(fmt::format("{} refused: {}", fit, refusal));
}

}  // namespace

double LevelFits::channels() const {
  if (pairs_bandwidth.empty() || pairs_bandwidth.front().pairs != 1) return 0.0;
  const auto best = std::ranges::max_element(pairs_bandwidth, {}, &PairsPoint::value);
  return best->value / pairs_bandwidth.front().value;
}

LevelFits fit_level(const ProbeSamples& samples, std::size_t number) {
  const LevelReader reader(samples, number);
  LevelFits level;
  level.name = samples.hierarchy.levels.at(number).name;
  level.round_trips = reader.round_trips();
  level.hockney =
      fit_or_refuse<fits::HockneyFit>([&] { return fits::fit_ping_pong(level.round_trips); });
  fit_parametrised(reader, level);
  fit_log_fp(reader, level);
  fit_pipelined(reader, level);
  level.window_bandwidth = reader.best_bandwidth(ProbeTest::window, 1.0);
  level.both_ways_bandwidth = reader.best_bandwidth(ProbeTest::bidirectional, 2.0);
  level.pairs_bytes = reader.size_of_pairs(true);
  level.pairs_bandwidth =
      reader.pairs(ProbeTest::ping_pong, level.pairs_bytes, LevelReader::exchange_rate);
  level.pairs_window = reader.pairs(ProbeTest::window, level.pairs_bytes, LevelReader::window_rate);
  level.pairs_latency =
      reader.pairs(ProbeTest::ping_pong, reader.size_of_pairs(false), LevelReader::half_round_trip);
  note_refusal(level, "Hockney's model", level.hockney.refusal);
  note_refusal(level, "LogGP", level.log_gp.refusal);
  note_refusal(level, "LogfP", level.log_fp.refusal);
  note_refusal(level, "pipelined model", level.pipelined.refusal);
  return level;
}

}  // namespace cartwright::mapping
