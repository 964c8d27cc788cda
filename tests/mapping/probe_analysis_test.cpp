// SPDX-License-Identifier: Apache-2.0
// From samples to a machine: what went in must come out.
#include <gtest/gtest.h>

#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/probe/chart.hpp>
#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <cartwright/mapping/probe/probe_plan.hpp>
#include <cartwright/mapping/probe/probe_plots.hpp>
#include <cartwright/mapping/probe/probe_repetition.hpp>
#include <cartwright/rt/error.hpp>
#include <numeric>
#include <tuple>
#include <utility>

#include "imagined_probe.hpp"

namespace cartwright::mapping {
namespace {

using testing::ImaginedProbe;
using testing::known_machine;

ProbeHierarchy hierarchy_of(const plan::Machine& machine, const std::vector<int>& cores) {
  ProbeHierarchy hierarchy;
  hierarchy.ranks.resize(cores.size());
  std::iota(hierarchy.ranks.begin(), hierarchy.ranks.end(), 0);
  for (std::size_t level = 0; level < machine.levels.size(); ++level) {
    ProbeLevel probed{machine.levels[level].name, {}};
    for (const int core : cores) probed.unit_of.push_back(plan::unit_of(machine, level, core));
    hierarchy.levels.push_back(std::move(probed));
    hierarchy.sizes.push_back(level == 0 ? 0 : machine.levels[level].units);
  }
  return hierarchy;
}

ProbeSamples probed(const plan::Machine& machine, double noise, unsigned seed = 1) {
  std::vector<int> cores(static_cast<std::size_t>(machine.ranks_in_unit(0)) * 2);
  std::iota(cores.begin(), cores.end(), 0);
  std::shuffle(cores.begin(), cores.end(), std::mt19937(seed));
  ProbeSamples samples;
  samples.name = "imagined";
  samples.library = "the simulator";
  samples.hierarchy = hierarchy_of(machine, cores);
  ImaginedProbe probe(machine, cores, noise, seed);
  samples.records = probe.measure(level_plan(samples.hierarchy, ProbeEffort{}));
  return samples;
}

TEST(Analysis, ReturnsTheParametersThatWentIn) {
  const plan::Machine truth = known_machine(2, 2, 4);
  for (const double noise : {0.0, 0.03}) {
    const ProbeAnalysis analysis = analyse(probed(truth, noise));
    ASSERT_EQ(analysis.machine.levels.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const LevelFits& level = analysis.levels[i];
      const auto model = plan::formulas::log_gp_of(truth.levels[i].network, 1);
      ASSERT_TRUE(level.log_gp.usable()) << level.name << ": " << level.log_gp.refusal;
      const double within = noise > 0.0 ? 0.1 : 0.01;
      EXPECT_NEAR(level.log_gp.model.byte_time / model.byte_time, 1.0, within) << level.name;
      EXPECT_NEAR(level.log_gp.model.gap / model.gap, 1.0, within) << level.name;
      // Two parameters of one round trip: their sum is what was measured.
      EXPECT_NEAR(level.log_gp.model.one_way() / model.one_way(), 1.0, within) << level.name;
      EXPECT_NEAR(level.hockney.beta / model.byte_time, 1.0, within) << level.name;
      EXPECT_NEAR(level.hockney.alpha / model.one_way(), 1.0, within) << level.name;
      EXPECT_TRUE(level.pipelined.physical()) << level.pipelined.refusal;
      EXPECT_EQ(level.model, "loggp");
      EXPECT_LT(level.error, within);
      EXPECT_EQ(analysis.machine.levels[i].units, i == 0 ? 0 : truth.levels[i].units);
    }
    EXPECT_GT(analysis.machine.copy_byte_time, 0.0);
    EXPECT_GT(analysis.machine.reduce_byte_time, 0.0);
    EXPECT_EQ(analysis.unsettled, 0);
  }
}

// All of a probe but the clock: nobody says where the shuffled ranks are, and the machine that
// comes out of their times predicts what the true one does
TEST(Analysis, RebuildsAMachineFromTheTimesOfShuffledRanks) {
  const plan::Machine truth = known_machine(3, 2, 4);
  std::vector<int> cores(24);
  std::iota(cores.begin(), cores.end(), 0);
  std::shuffle(cores.begin(), cores.end(), std::mt19937(11));
  ImaginedProbe probe(truth, cores, 0.03, 5);
  Topology one_node;
  one_node.ranks = one_node.largest_node = 24;
  ProbedPlaces unknown{{}, std::vector<Place>(24), false, false};
  for (int rank = 0; rank < 24; ++rank) unknown.ranks.push_back(rank);

  ProbeSamples samples;
  samples.hierarchy = hierarchy_from(probe.costs(16384), unknown, one_node);
  ASSERT_EQ(samples.hierarchy.levels.size(), 3U);
  EXPECT_EQ(samples.hierarchy.sizes, (std::vector<int>{0, 2, 4}));
  samples.records = probe.measure(level_plan(samples.hierarchy, ProbeEffort::small()));
  const plan::Machine found = analyse(samples).machine;
  for (std::size_t a = 0; a < 24; ++a) {
    for (std::size_t b = 0; b < 24; ++b) {
      if (a == b) continue;
      const auto level = parting_level(samples.hierarchy, a, b);
      ASSERT_EQ(level, plan::parting_level(truth, cores[a], cores[b]));
      for (const plan::Count bytes : {8, 4096, 1 << 20})
        EXPECT_NEAR(round_trip_on(found.levels[level].network, bytes) /
                        round_trip_on(truth.levels[level].network, bytes),
                    1.0, 0.1);
    }
  }
}

// A node whose channel is full with two messages: B(j) comes back, and c with it
TEST(Analysis, FindsTheConcurrencyOfANode) {
  plan::Machine truth = known_machine(2, 1, 6);
  const double one = 1e9;
  truth.levels[0].network = plan::hockney(2e-6, 1.0 / one);
  truth.levels[0].leaving.bandwidth = {one, 1.8 * one, 2.0 * one, 2.0 * one, 2.0 * one, 2.0 * one};
  const ProbeAnalysis analysis = analyse(probed(truth, 0.0));
  const plan::Concurrency& found = analysis.machine.levels[0].leaving;
  ASSERT_EQ(found.bandwidth.size(), 6U);
  for (int j = 1; j <= 6; ++j)
    EXPECT_NEAR(found.at(j) / truth.levels[0].leaving.at(j), 1.0, 0.02) << j;
  EXPECT_NEAR(analysis.levels[0].channels(), 2.0, 0.05);
  EXPECT_FALSE(analysis.machine.levels[1].leaving.limited());
}

TEST(Analysis, WritesAMachineThatCanBeReadAndSimulated) {
  const ProbeAnalysis analysis = analyse(probed(known_machine(2, 2, 4), 0.03));
  const plan::Machine again = parse_machine(machine_text(analysis.machine), "probed.yaml");
  EXPECT_EQ(machine_text(again), machine_text(analysis.machine));
  EXPECT_EQ(plan::parting_level(again, 0, 8), 0U);
}

// Cores, or groups of them, that were probed alone aren't taken for nodes.
TEST(Analysis, PutsOneNodeAroundWhatWasProbedInsideIt) {
  for (const auto& [truth, node_size, units] :
       {std::tuple{known_machine(2, 2, 4), 16, 2}, {known_machine(2, 1, 2), 3, 2}}) {
    ProbeSamples samples = probed(truth, 0.0);
    samples.node_size = node_size;
    samples.hierarchy.levels.front().name = "group";
    const plan::Machine machine = analyse(parse_samples(samples_text(samples))).machine;
    ASSERT_EQ(machine.levels.size(), truth.levels.size() + 1);
    EXPECT_EQ(machine.levels[0].name, "node");
    EXPECT_EQ(machine.levels[0].units, 0);
    EXPECT_EQ(machine.levels[1].name, "group");
    EXPECT_EQ(machine.levels[1].units, units);
    EXPECT_EQ(node_level(machine), 0U);
    EXPECT_EQ(node_channels(machine).node_size, units * truth.ranks_in_unit(0));
    EXPECT_EQ(machine_text(parse_machine(machine_text(machine), "one.yaml")),
              machine_text(machine));
  }
}

TEST(Analysis, RefusesWhatIsNotPhysicalAndSaysWhatStandsForIt) {
  const plan::Machine truth = known_machine(2, 1, 2);
  ProbeSamples samples = probed(truth, 0.0);
  for (ProbeRecord& record : samples.records) {
    if (record.spec.test == ProbeTest::ping_pong && record.spec.bytes > 65536)
      for (double& time : record.times) time = 1e-3 / static_cast<double>(record.spec.bytes);
    if (record.spec.test == ProbeTest::parametrised && record.spec.messages > 1)
      for (double& time : record.times) time = 1e-9;
    if (record.spec.test == ProbeTest::multicast)
      for (double& time : record.times)
        time = 1e-6 / static_cast<double>(record.spec.members.size());
  }
  const ProbeAnalysis analysis = analyse(samples);
  for (std::size_t i = 0; i < analysis.levels.size(); ++i) {
    const LevelFits& level = analysis.levels[i];
    EXPECT_FALSE(level.hockney.physical());
    EXPECT_FALSE(level.log_gp.usable());
    EXPECT_FALSE(level.pipelined.physical());
    EXPECT_GE(level.notes.size(), 3U);
    EXPECT_EQ(level.model, "hockney by size");
    const plan::Network& network = analysis.machine.levels[i].network;
    double before = 0.0;
    for (const auto& [bytes, time] : level.round_trips) {
      EXPECT_GE(round_trip_on(network, bytes), before * 0.999);
      before = round_trip_on(network, bytes);
    }
    EXPECT_GT(before, 0.0);
  }
  (void)parse_machine(machine_text(analysis.machine), "refused.yaml");
}

TEST(Analysis, DescribesTheMachineWithTheModelThatWasAskedFor) {
  const ProbeSamples samples = probed(known_machine(2, 2, 4), 0.0);
  for (const auto& [model, name] : {std::pair{ProbeModel::hockney, "hockney"},
                                    {ProbeModel::loggp, "loggp"},
                                    {ProbeModel::pipelined, "pipelined"}}) {
    const ProbeAnalysis analysis = analyse(samples, model);
    for (const LevelFits& level : analysis.levels) EXPECT_EQ(level.model, name);
    EXPECT_NE(machine_text(analysis.machine).find(std::string("    ") + name + ":"),
              std::string::npos);
    EXPECT_NE(fits_text(analysis).find("\"a_p_s\""), std::string::npos);
  }
  ProbeSamples without = samples;
  std::erase_if(without.records,
                [](const auto& record) { return record.spec.test == ProbeTest::multicast; });
  const ProbeAnalysis analysis = analyse(without, ProbeModel::pipelined);
  EXPECT_NE(analysis.levels[0].model, "pipelined");
  EXPECT_NE(analysis.levels[0].notes.back().find("asked for"), std::string::npos);
  EXPECT_NE(fits_text(analysis).find("\"refused\""), std::string::npos);
}

TEST(Analysis, NeedsRoundTrips) {
  ProbeSamples samples = probed(known_machine(2, 1, 2), 0.0);
  samples.records.clear();
  EXPECT_THROW((void)analyse(samples), rt::Error);
}

TEST(Samples, ComeBackFromTheirText) {
  ProbeSamples samples = probed(known_machine(2, 1, 2), 0.03);
  samples.about = "odd \xff text \"quoted\"\n";
  samples.hierarchy.notes = {"a note"};
  const std::string text = samples_text(samples);
  const ProbeSamples again = parse_samples(text);
  EXPECT_EQ(samples_text(again), text);
  EXPECT_EQ(again.records.size(), samples.records.size());
  EXPECT_EQ(machine_text(analyse(again).machine).substr(0, 20),
            machine_text(analyse(samples).machine).substr(0, 20));
  EXPECT_THROW((void)parse_samples("{}\n"), rt::Error);
  EXPECT_THROW((void)parse_samples(text + "half a li"), rt::Error);
  EXPECT_THROW((void)parse_record("{\"test\": \"dance\"}"), rt::Error);
}

TEST(Plots, AreMadeOfEveryFitEvenOfRefusedOnes) {
  ProbeSamples samples = probed(known_machine(2, 1, 2), 0.03);
  const auto plots = plots_of(samples, analyse(samples));
  EXPECT_EQ(plots.size(), 1U + 6U * 2U);
  for (const ProbePlot& plot : plots) {
    EXPECT_TRUE(plot.svg.starts_with("<svg")) << plot.name;
    EXPECT_TRUE(plot.svg.ends_with("</svg>\n")) << plot.name;
    EXPECT_EQ(plot.svg.find("nan"), std::string::npos) << plot.name;
    EXPECT_EQ(plot.svg.find("inf,"), std::string::npos) << plot.name;
    EXPECT_NE(plot.svg.find("(µs)"), plot.svg.find("(GB/s)")) << plot.name;
  }
}

TEST(Repetition, StopsWhenTheIntervalIsNarrow) {
  const RepetitionRule rule;
  std::vector<double> samples;
  EXPECT_EQ(samples_to_take(samples, 0.0, 0.0, rule), rule.fewest);
  for (int i = 0; i < 10; ++i) samples.push_back(1.0 + 0.001 * (i % 3));
  EXPECT_EQ(samples_to_take(samples, 0.01, 0.0, rule), 0);
  samples.back() = 50.0;  // one rank was interrupted once
  EXPECT_EQ(summarise(samples).outliers, 1);
  EXPECT_EQ(samples_to_take(samples, 0.01, 0.0, rule), 0);
  for (int i = 0; i < 10; ++i) samples[static_cast<std::size_t>(i)] = 1.0 + 0.2 * (i % 4);
  EXPECT_EQ(samples_to_take(samples, 0.01, 0.0, rule), 10);
  EXPECT_EQ(samples_to_take(samples, 0.19, 0.0, rule), 1);  // as many as there is time for
  EXPECT_EQ(samples_to_take(samples, 0.2, 0.0, rule), 0);
  EXPECT_EQ(samples_to_take(samples, 0.01, rule.total_seconds, rule), 0);
  samples.assign(static_cast<std::size_t>(rule.most), 1.0);
  samples.front() = 3.0;
  EXPECT_EQ(samples_to_take(samples, 0.01, 0.0, rule), 0);
}

/// The texts of the ticks of a logarithmic axis from `low` to `high`.
std::vector<std::string> ticks_of(double low, double high, bool doubles) {
  Chart chart;
  chart.x = {.label = "", .logarithmic = true, .doubles = doubles};
  chart.series.push_back({.name = "", .points = {{low, 1.0}, {high, 1.0}}, .is_line = true});
  const std::string svg = chart.svg(), before = "text-anchor='middle'>";
  std::vector<std::string> ticks;
  for (std::size_t at = svg.find(before); at != std::string::npos; at = svg.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    ticks.push_back(svg.substr(begin, svg.find('<', begin) - begin));
  }
  ticks.pop_back();  // the label of the axis
  return ticks;
}

TEST(Chart, HasTicksAtRoundNumbers) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ticks_of(1, 4, true), (Texts{"1", "2", "4"}));
  EXPECT_EQ(ticks_of(1, 64, true), (Texts{"1", "2", "4", "8", "16", "32", "64"}));
  EXPECT_EQ(ticks_of(1, 1e5, true), (Texts{"1", "10", "100", "1000", "10⁴", "10⁵"}));
  EXPECT_EQ(ticks_of(0.0024, 0.0038, false), (Texts{"0.002", "0.005"}));
  EXPECT_EQ(ticks_of(2.5e-5, 3.5e-4, false), (Texts{"10⁻⁴", "2·10⁻⁴", "5·10⁻⁵"}));
}

TEST(Repetition, KnowsStudentsQuantiles) {
  EXPECT_NEAR(student_quantile(1), 12.706, 1e-3);
  EXPECT_NEAR(student_quantile(4), 2.776, 0.015);
  EXPECT_NEAR(student_quantile(9), 2.262, 0.003);
  EXPECT_NEAR(student_quantile(1000), 1.962, 0.001);
}

}  // namespace
}  // namespace cartwright::mapping
