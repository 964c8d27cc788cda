// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/probe/chart.hpp>
#include <cartwright/mapping/probe/probe_plots.hpp>
#include <cmath>
#include <map>

namespace cartwright::mapping {
namespace {

namespace fits = plan::fits;
using Points = std::vector<fits::Point>;

constexpr double micro = 1e-6;
constexpr double giga = 1e9;

std::string note_of(const std::string& refusal) {
  return refusal.empty() ? std::string() : "refused: " + refusal;
}

Chart ping_pong_chart(const LevelFits& level) {
  Chart chart{fmt::format("Ping-pong, {}", level.name),
              note_of(level.hockney.refusal),
              {"message (bytes)", true},
              {"half a round trip (µs)", true},
              {}};
  Points measured;
  Points small;
  Points large;
  Points machine;
  for (const auto& [bytes, time] : level.round_trips) {
    const auto x = static_cast<double>(bytes);
    measured.push_back({x, time / 2 / micro});
    small.push_back({x, level.hockney.small.at(x) / 2 / micro});
    large.push_back({x, level.hockney.large.at(x) / 2 / micro});
    machine.push_back({x, round_trip_on(level.network, bytes) / 2 / micro});
  }
  chart.series = {
      {"measured (lower quartiles)", measured},
      {fmt::format("fit of small messages: α = {:.3g} µs", level.hockney.alpha / micro), small,
       true},
      {fmt::format("fit of large messages: 1/β = {:.3g} GB/s", 1.0 / level.hockney.beta / giga),
       large, true},
      {"in the machine file: " + level.model, machine, true}};
  return chart;
}

Points scaled(const std::vector<PairsPoint>& points, double unit) {
  Points all;
  for (const auto& [pairs, value] : points)
    all.push_back({static_cast<double>(pairs), value / unit});
  return all;
}

Chart bandwidth_of_pairs_chart(const LevelFits& level) {
  return {fmt::format("Pairs at the same time, {}", level.name),
          fmt::format("messages of {} bytes; B_max / B(1) = {:.2f}", level.pairs_bytes,
                      level.channels()),
          {"pairs j", false},
          {"all together (GB/s)", false},
          {{"B(j) = 2 j m / RTT(j)", scaled(level.pairs_bandwidth, giga), true},
           {"B(j), measured", scaled(level.pairs_bandwidth, giga)},
           {"windows of messages, one way", scaled(level.pairs_window, giga)}}};
}

Chart latency_of_pairs_chart(const LevelFits& level) {
  return {fmt::format("Latency of pairs at the same time, {}", level.name),
          {},
          {"pairs j", false},
          {"half a round trip of a small message (µs)", false},
          {{"measured (lower quartiles)", scaled(level.pairs_latency, micro)}}};
}

Chart parametrised_chart(const LevelFits& level) {
  std::map<plan::Count, std::map<int, std::vector<double>>> times;
  for (const auto& sample : level.parametrised_samples)
    if (sample.delay == 0.0) times[sample.bytes][sample.messages].push_back(sample.time);
  Points measured;
  for (auto& [bytes, by_messages] : times) {
    const auto& [messages, longest] = *by_messages.rbegin();
    if (messages < 2 || !by_messages.contains(1)) continue;
    measured.push_back(
        {static_cast<double>(bytes),
         (fits::median(longest) - fits::median(by_messages.at(1))) / (messages - 1) / micro});
  }
  const auto& model = level.log_gp.model;
  Chart chart{fmt::format("PRTT: one message more, {}", level.name),
              level.log_gp.usable()
                  ? fmt::format("o = {:.3g} µs, L = {:.3g} µs, g = {:.3g} µs, G = {:.3g} ns/B",
                                model.send_overhead / micro, model.latency / micro,
                                model.gap / micro, model.byte_time * giga)
                  : note_of(level.log_gp.refusal),
              {"message (bytes)", true},
              {"y(s) (µs)", true},
              {{"measured (lower quartiles)", measured}}};
  for (const fits::Piece& piece : level.log_gp.gaps) {
    Points line;
    for (std::size_t i = piece.first; i < piece.last; ++i) {
      const auto bytes = static_cast<double>(level.log_gp.sizes[i]);
      line.push_back({bytes, piece.line.at(bytes - 1) / micro});
    }
    chart.series.push_back({"fit g + (s - 1) G", line, true});
  }
  return chart;
}

Chart bursts_chart(const LevelFits& level) {
  std::map<int, std::pair<std::vector<double>, std::vector<double>>> times;
  for (const auto& sample : level.burst_samples) {
    times[sample.messages].first.push_back(sample.call_time);
    times[sample.messages].second.push_back(sample.arrival);
  }
  Points calls;
  Points arrivals;
  Points calls_fit;
  Points arrivals_fit;
  for (const auto& [messages, both] : times) {
    const auto n = static_cast<double>(messages);
    calls.push_back({n, fits::median(both.first) / micro});
    arrivals.push_back({n, fits::median(both.second) / micro});
    const auto& model = level.log_fp.model;
    calls_fit.push_back({n, n * model.send_overhead(messages) / micro});
    if (level.log_fp.usable()) arrivals_fit.push_back({n, model.burst(messages) / micro});
  }
  return {fmt::format("Bursts, {}", level.name),
          note_of(level.log_fp.refusal),
          {"messages n", false},
          {"time (µs)", false},
          {{"n calls took the sender", calls},
           {"the last message arrived", arrivals},
           {"fit n o(n)", calls_fit, true},
           {"LogfP", arrivals_fit, true}}};
}

Chart multicast_chart(const LevelFits& level) {
  std::map<int, double> minima;
  for (const auto& [targets, time] : level.multicast_samples) {
    const auto [entry, is_new] = minima.try_emplace(targets, time);
    if (!is_new) entry->second = std::min(entry->second, time);
  }
  Points measured;
  Points line;
  for (const auto& [targets, time] : minima) {
    const auto b = static_cast<double>(targets);
    measured.push_back({b, time / micro});
    line.push_back({b, (level.pipelined.pipelining + b * level.pipelined.required) / micro});
  }
  return {fmt::format("Multicast, {}", level.name),
          note_of(level.pipelined.refusal),
          {"targets b", false},
          {"time (µs)", false},
          {{"minima", measured},
           {fmt::format("a_p + b a_r: a_p = {:.3g} µs, a_r = {:.3g} µs",
                        level.pipelined.pipelining / micro, level.pipelined.required / micro),
            line, true}}};
}

/// Half round trips of the scan, by pair, in the order of their times: steps are groups.
Chart scan_chart(const ProbeSamples& samples) {
  std::vector<double> times;
  for (const ProbeRecord& record : samples.records)
    if (record.spec.test == ProbeTest::scan && !record.times.empty())
      times.push_back(fits::median(record.times) / 2.0);
  std::ranges::sort(times);
  Points points;
  for (std::size_t i = 0; i < times.size(); ++i)
    points.push_back({static_cast<double>(i + 1), times[i] / micro});
  return {"All pairs of ranks",
          "half round trips (medians) in ascending order: steps are levels of the machine",
          {"pair", false},
          {"half a round trip (µs)", false},
          {{"measured", points}}};
}

}  // namespace

std::vector<ProbePlot> plots_of(const ProbeSamples& samples, const ProbeAnalysis& analysis) {
  std::vector<ProbePlot> plots{{"scan", scan_chart(samples).svg()}};
  for (const LevelFits& level : analysis.levels) {
    plots.push_back({level.name + ".ping_pong", ping_pong_chart(level).svg()});
    plots.push_back({level.name + ".pairs", bandwidth_of_pairs_chart(level).svg()});
    plots.push_back({level.name + ".pairs_latency", latency_of_pairs_chart(level).svg()});
    plots.push_back({level.name + ".parametrised", parametrised_chart(level).svg()});
    plots.push_back({level.name + ".bursts", bursts_chart(level).svg()});
    plots.push_back({level.name + ".multicast", multicast_chart(level).svg()});
  }
  return plots;
}

}  // namespace cartwright::mapping
