// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/mapping/probe/cost_matrix.hpp>
#include <cartwright/mapping/probe/probe_samples.hpp>
#include <cartwright/plan/builder.hpp>
#include <cartwright/plan/models/prtt_fit.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <random>
#include <utility>
#include <vector>

namespace cartwright::mapping::testing {

/// What probes would measure on a known machine on whose cores ranks were shuffled: ping-pongs are
/// simulated message by message, the rest follows the models. Samples are late by chance.
class ImaginedProbe {
 public:
  /// core_of[rank]; noise: mean lateness of a sample, relative to it.
  ImaginedProbe(plan::Machine machine, std::vector<int> core_of, double noise, unsigned seed)
      : machine_(std::move(machine)), cores_(std::move(core_of)), noise_(noise), random_(seed) {}

  /// Half round trips between all ranks.
  CostMatrix costs(plan::Count bytes) {
    const std::size_t ranks = cores_.size();
    std::vector<double> costs(ranks * ranks, 0.0);
    for (std::size_t a = 0; a < ranks; ++a)
      for (std::size_t b = 0; b < ranks; ++b)
        if (a != b)
          costs[a * ranks + b] =
              late(round_trip({static_cast<int>(a), static_cast<int>(b)}, bytes)) / 2;
    return CostMatrix(std::move(costs));
  }

  ProbeRecord measure(ProbeSpec spec) {
    if (spec.delay < 0.0) spec.delay = 2.0 * time_of({spec.test, 0, spec.members, spec.bytes, 1});
    ProbeRecord record{spec, {}, {}, true};
    const double time = time_of(spec);
    for (int i = 0; i < 40; ++i) record.times.push_back(late(time));
    if (spec.test == ProbeTest::parametrised)
      record.call_times.assign(record.times.size(), calls_time(spec));
    return record;
  }

  /// All that a plan asks for.
  std::vector<ProbeRecord> measure(const std::vector<ProbeSpec>& specs) {
    std::vector<ProbeRecord> records;
    for (const ProbeSpec& spec : specs) records.push_back(measure(spec));
    return records;
  }

 private:
  double late(double time) {
    if (noise_ <= 0.0) return time;
    return time * (1.0 + std::exponential_distribution<double>(1.0 / noise_)(random_));
  }
  [[nodiscard]] plan::formulas::LogGp model_of(const ProbeSpec& spec) const {
    const auto core = [&](std::size_t i) {
      return cores_[static_cast<std::size_t>(spec.members[i])];
    };
    const auto level = plan::parting_level(machine_, core(0), core(1));
    return plan::formulas::log_gp_of(machine_.levels[level].network, spec.bytes);
  }
  [[nodiscard]] double calls_time(const ProbeSpec& spec) const {
    return spec.messages * (model_of(spec).send_overhead + spec.delay);
  }

  [[nodiscard]] double time_of(const ProbeSpec& spec) const {
    if (spec.members.size() == 1) return 1e-10 * static_cast<double>(spec.bytes);
    if (spec.test == ProbeTest::ping_pong || spec.test == ProbeTest::scan)
      return round_trip(spec.members, spec.bytes);
    const plan::fits::RoundTripSetting short_answer{.reply_bytes = 1, .credits = 0};
    const plan::formulas::LogGp model = model_of(spec);
    if (spec.test == ProbeTest::multicast)
      return model.one_way() +
             static_cast<double>(spec.members.size() - 1) * std::max(model.gap, 1e-8);
    return plan::fits::round_trip_time(model, spec.messages, spec.delay, spec.bytes, short_answer);
  }

  /// Members 0 and 1, 2 and 3… exchange messages at the same time.
  [[nodiscard]] double round_trip(const std::vector<int>& members, plan::Count bytes) const {
    const auto ranks = static_cast<int>(members.size());
    std::vector<int> cores;
    for (const int member : members) cores.push_back(cores_[static_cast<std::size_t>(member)]);
    const auto make = [ranks](int rank) {
      plan::Builder build({.ranks = ranks, .me = rank},
                          {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
      if (rank % 2 == 0) build.send(rank + 1, build.input(0));
      build.next_round();
      build.receive(rank ^ 1, build.output(0));
      build.next_round();
      if (rank % 2 == 1) build.send(rank - 1, build.output(0));
      build.next_round();
      return std::move(build).finish();
    };
    const auto simulation =
        plan::simulate(ranks, make, plan::Layout(plan::Cuts::uniform(1, bytes)), 1, machine_,
                       {.record = plan::Record::times, .placement = plan::Placement(cores)});
    return static_cast<double>(simulation.total) * 1e-12;
  }

  plan::Machine machine_;
  std::vector<int> cores_;
  double noise_;
  std::mt19937 random_;
};

/// Nodes, sockets (if there are several in a node), cores; LogGP.
inline plan::Machine known_machine(int nodes, int sockets, int cores) {
  const auto level = [](const char* name, int units, double scale) {
    plan::Level made;
    made.name = name;
    made.units = units;
    made.network = plan::log_gp(1e-6 * scale, 0.2e-6, 0.2e-6, 0.3e-6 * scale, 0.2e-9 * scale);
    return made;
  };
  plan::Machine machine;
  machine.name = "known";
  machine.levels.push_back(level("node", nodes, 5.0));
  if (sockets > 1) machine.levels.push_back(level("socket", sockets, 1.5));
  machine.levels.push_back(level("core", cores, 1.0));
  return machine;
}

}  // namespace cartwright::mapping::testing
