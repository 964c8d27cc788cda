// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <fmt/format.h>

#include <cartwright/plan/models/time_text.hpp>
#include <cmath>

namespace cartwright::command {
namespace {

using mapping::LevelFits;

constexpr double micro = 1e-6;
constexpr double giga = 1e9;

/// What the file says and predictions use: of the smallest message one way, of the largest its
/// bytes.
std::string network_text(const LevelFits& level) {
  const auto smallest = level.round_trips.front().bytes, largest = level.round_trips.back().bytes;
  std::string text =
      "latency " +
      plan::time_text(plan::picoseconds(mapping::round_trip_on(level.network, smallest) / 2.0));
  if (const double byte_time = level.network.byte_time.at(largest); byte_time > 0.0)
    text += fmt::format(", bandwidth {:.3g} GB/s", 1.0 / byte_time / giga);
  return text;
}

std::string hockney_text(const LevelFits& level) {
  const auto& fit = level.hockney;
  if (!fit.physical()) return {};
  return fmt::format("Hockney: α {:.3g} µs, 1/β {:.3g} GB/s", fit.alpha / micro,
                     1.0 / fit.beta / giga);
}

std::string streams_text(const LevelFits& level) {
  if (level.window_bandwidth <= 0.0) return {};
  return fmt::format("windows of messages {:.3g} GB/s, both ways {:.3g} GB/s",
                     level.window_bandwidth / giga, level.both_ways_bandwidth / giga);
}

std::string pairs_text(const LevelFits& level) {
  if (level.pairs_bandwidth.size() < 2) return {};
  std::string text;
  for (const auto& [pairs, rate] : level.pairs_bandwidth)
    text += fmt::format("{}{}: {:.3g}", text.empty() ? "" : ", ", pairs, rate / giga);
  return fmt::format("pairs at the same time {} GB/s (channels: {:.2f})", text, level.channels());
}

std::string log_gp_text(const LevelFits& level) {
  if (!level.log_gp.usable()) return {};
  const auto& model = level.log_gp.model;
  return fmt::format("LogGP: L {:.3g} µs, o {:.3g} µs, g {:.3g} µs, G {:.3g} ns/B",
                     model.latency / micro, model.send_overhead / micro, model.gap / micro,
                     model.byte_time * giga);
}

std::string log_fp_text(const LevelFits& level) {
  if (!level.log_fp.usable()) return {};
  const auto& model = level.log_fp.model;
  return fmt::format("LogfP: o {:.3g} to {:.3g} µs, g {:.3g} µs, f {}",
                     model.send_overhead_min / micro, model.send_overhead_max / micro,
                     model.gap / micro, model.free_burst);
}

std::string pipelined_text(const LevelFits& level) {
  const auto& fit = level.pipelined;
  if (!fit.physical()) return {};
  return fmt::format("pipelined: a_p {:.3g} µs, a_r {:.3g} µs, c {:.3g}", fit.pipelining / micro,
                     fit.required / micro, fit.ratio());
}

std::string level_text(const LevelFits& level, bool verbose) {
  std::string text;
  const auto add = [&text](const std::string& line) {
    if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
  };
  for (const auto& line : {network_text(level), streams_text(level), pairs_text(level)}) add(line);
  if (verbose)
    for (const auto& line :
         {hockney_text(level), log_gp_text(level), log_fp_text(level), pipelined_text(level)})
      add(line);
  add(fmt::format("described by {}, which misses round trips by a factor of {:.2f} on average",
                  level.model, std::exp(level.error)));
  if (verbose)
    for (const std::string& note : level.notes) add(note);
  return text;
}

}  // namespace

void print_summary(rt::Log& log, const mapping::ProbeSamples& samples,
                   const mapping::ProbeAnalysis& analysis, bool verbose) {
  for (std::size_t i = 0; i < analysis.levels.size(); ++i) {
    const int units = samples.hierarchy.sizes[i];
    const LevelFits& level = analysis.levels[i];
    log.entry(units == 0 ? level.name : fmt::format("{} x {}", level.name, units),
              level_text(level, verbose));
  }
  for (const std::string& note : analysis.notes) log.entry("note", note);
  std::size_t refused = 0;
  for (const LevelFits& level : analysis.levels) refused += level.notes.size();
  if (refused > 0 && !verbose)
    log.entry("note",
              fmt::format("{} fits were refused or not taken; --verbose and the head of the "
                          "file say why",
                          refused));
  if (analysis.unsettled > 0)
    log.entry("note", fmt::format("{} of {} measurements were stopped before they had settled",
                                  analysis.unsettled, samples.records.size()));
}

}  // namespace cartwright::command
