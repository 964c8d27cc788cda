// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/probe/probe_analysis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/probe/probe_repetition.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/error.hpp>
#include <charconv>
#include <cmath>

namespace cartwright::mapping {
namespace {

namespace fits = plan::fits;
using plan::Count;

double error_of(const plan::Network& network, const std::vector<fits::RoundTrip>& round_trips) {
  double sum = 0.0;
  for (const auto& [bytes, time] : round_trips)
    sum += std::abs(std::log(round_trip_on(network, bytes) / time));
  return sum / static_cast<double>(round_trips.size());
}

/// What was measured, as a bandwidth for each size above the latency of the fastest message. Larger
/// messages are never faster: what looks so is noise of the smaller ones.
plan::Network by_size(const std::vector<fits::RoundTrip>& round_trips) {
  std::vector<double> halves;
  halves.reserve(round_trips.size());
  for (const auto& round_trip : round_trips) halves.push_back(round_trip.time / 2.0);
  for (std::size_t i = halves.size() - 1; i > 0; --i)
    halves[i - 1] = std::min(halves[i - 1], halves[i]);
  std::vector<std::pair<Count, double>> byte_times;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const Count bytes = round_trips[i].bytes;
    if (bytes > 0)
      byte_times.emplace_back(bytes, (halves[i] - halves.front()) / static_cast<double>(bytes));
  }
  if (byte_times.empty()) return plan::hockney(halves.front(), 0.0);
  return plan::hockney(halves.front(), plan::BySize(std::move(byte_times)));
}

plan::Network log_gp_network(const plan::formulas::LogGp& model) {
  return plan::log_gp(model.latency, model.send_overhead, model.receive_overhead, model.gap,
                      model.byte_time);
}

void choose_hockney(LevelFits& level) {
  constexpr double poor = 0.4;  // a factor of 1.5
  if (level.hockney.physical()) {
    level.network = plan::hockney(level.hockney.alpha, level.hockney.beta);
    level.model = "hockney";
    level.error = error_of(level.network, level.round_trips);
    if (level.error <= poor) return;
    level.notes.push_back(fmt::format(
        "Hockney's model with one bandwidth misses round trips by a factor of {:.2f}: not taken",
        std::exp(level.error)));
  }
  level.network = by_size(level.round_trips);
  level.model = "hockney by size";
  level.error = error_of(level.network, level.round_trips);
  if (level.error > poor)
    level.notes.emplace_back(
        "larger messages were often faster than smaller ones: the machine is too busy to be "
        "measured");
}

void take(LevelFits& level, const plan::Network& network, const char* model) {
  level.network = network;
  level.model = model;
  level.error = error_of(network, level.round_trips);
}

void choose_log_gp(LevelFits& level) {
  const plan::Network network = log_gp_network(level.log_gp.model);
  const double error = error_of(network, level.round_trips);
  if (error <= 1.5 * level.error + 0.05) return take(level, network, "loggp");
  level.notes.push_back(
      fmt::format("LogGP not taken: it misses round trips by a factor of {:.2f}, {} by {:.2f}",
                  std::exp(error), level.model, std::exp(level.error)));
}

void choose_network(LevelFits& level, ProbeModel model) {
  choose_hockney(level);
  if (model == ProbeModel::automatic) {
    if (level.log_gp.usable()) choose_log_gp(level);
  } else if (model == ProbeModel::hockney && level.hockney.physical()) {
    take(level, plan::hockney(level.hockney.alpha, level.hockney.beta), "hockney");
  } else if (model == ProbeModel::loggp && level.log_gp.usable()) {
    take(level, log_gp_network(level.log_gp.model), "loggp");
  } else if (model == ProbeModel::pipelined && level.pipelined.physical()) {
    const double byte_time = level.hockney.physical() ? level.hockney.beta : 0.0;
    take(level, plan::pipelined(level.pipelined.pipelining, level.pipelined.required, byte_time),
         "pipelined");
  } else {
    level.notes.push_back(
        fmt::format("the model that was asked for was refused: {} stands for it", level.model));
  }
}

/// For every number of pairs; between measured numbers on straight lines.
plan::Concurrency concurrency_of(const std::vector<PairsPoint>& points) {
  plan::Concurrency curve;
  if (points.size() < 2 || points.front().pairs != 1) return curve;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) {
      const PairsPoint& from = points[i - 1];
      const PairsPoint& to = points[i];
      for (int pairs = from.pairs + 1; pairs < to.pairs; ++pairs)
        curve.bandwidth.push_back(from.value + (to.value - from.value) * (pairs - from.pairs) /
                                                   (to.pairs - from.pairs));
    }
    curve.bandwidth.push_back(points[i].value);
  }
  return curve;
}

/// Four digits: more than a measurement is worth.
double rounded(double value) {
  const std::string text = fmt::format("{:.3e}", value);
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}
plan::BySize rounded(const plan::BySize& values) {
  auto points = values.points();
  for (auto& [bytes, value] : points) value = rounded(value);
  return plan::BySize(std::move(points));
}
plan::Network rounded(plan::Network network) {
  for (plan::BySize* values : {&network.send_overhead, &network.receive_overhead, &network.latency,
                               &network.gap, &network.byte_time})
    *values = rounded(*values);
  return network;
}

plan::Level level_of(const ProbeSamples& samples, std::size_t number, const LevelFits& fitted) {
  plan::Level level;
  level.name = fitted.name;
  level.units = number == 0 ? 0 : samples.hierarchy.sizes.at(number);
  level.network = rounded(fitted.network);
  // Units of the innermost level are single ranks: pairs there leave different units.
  if (number + 1 < samples.hierarchy.levels.size())
    level.leaving = concurrency_of(fitted.pairs_bandwidth);
  for (double& rate : level.leaving.bandwidth) rate = rounded(rate);
  return level;
}

/// Who reads a machine looks for its nodes: without that level each unit of the outermost one would
/// be taken for a node. Nothing was measured between nodes, so round numbers stand there.
void put_into_a_node(plan::Machine& machine, int node_size) {
  const int ranks_of_unit = machine.ranks_in_unit(0);
  machine.levels.front().units = (node_size + ranks_of_unit - 1) / ranks_of_unit;
  plan::Level node = plan::typical_machine(node_size).levels.front();
  machine.levels.insert(machine.levels.begin(), std::move(node));
}

double byte_time_of_memory(const ProbeSamples& samples, ProbeTest test) {
  for (const ProbeRecord& record : samples.records)
    if (record.spec.test == test && !record.times.empty() && record.spec.bytes > 0)
      return rounded(summarise(record.times).lower / static_cast<double>(record.spec.bytes));
  return 0.0;
}

std::string source_of(const ProbeSamples& samples, const ProbeAnalysis& analysis) {
  std::string text = fmt::format("measured by cartwright probe{} with {}",
                                 samples.quick ? " --quick" : "", samples.library);
  if (samples.is_virtual)
    text += "; nodes are imagined: what is between them was measured inside a real one";
  if (samples.node_size > 0) text += "; node: round numbers, since only one was there";
  for (const LevelFits& level : analysis.levels)
    text += fmt::format("; {}: {}, misses round trips by a factor of {:.2f}", level.name,
                        level.model, std::exp(level.error));
  return text;
}

}  // namespace

double round_trip_on(const plan::Network& network, Count bytes) {
  const Count paid = std::max<Count>(bytes - (network.first_byte_is_free ? 1 : 0), 0);
  return 2.0 * (network.send_overhead.at(bytes) + network.latency.at(bytes) +
                network.receive_overhead.at(bytes) +
                static_cast<double>(paid) * network.byte_time.at(bytes));
}

ProbeAnalysis analyse(const ProbeSamples& samples, ProbeModel model) {
  if (samples.hierarchy.levels.empty())
    throw rt::input_error("the samples hold no level of a machine: the file is empty or damaged",
                          "Probe again with --force.");
  ProbeAnalysis analysis;
  analysis.notes = samples.hierarchy.notes;
  for (std::size_t number = 0; number < samples.hierarchy.levels.size(); ++number) {
    LevelFits level = fit_level(samples, number);
    if (level.round_trips.empty())
      throw rt::input_error(fmt::format("nothing was measured between units '{}'", level.name),
                            "Probe again with --force.");
    choose_network(level, model);
    analysis.machine.levels.push_back(level_of(samples, number, level));
    analysis.levels.push_back(std::move(level));
  }
  for (const ProbeRecord& record : samples.records)
    if (record.spec.test != ProbeTest::scan && !record.settled) ++analysis.unsettled;
  plan::Machine& machine = analysis.machine;
  if (samples.node_size > 0) put_into_a_node(machine, samples.node_size);
  machine.name = samples.name;
  machine.about = samples.about;
  machine.copy_byte_time = byte_time_of_memory(samples, ProbeTest::copy);
  machine.reduce_byte_time = byte_time_of_memory(samples, ProbeTest::combine);
  machine.source = source_of(samples, analysis);
  return analysis;
}

}  // namespace cartwright::mapping
