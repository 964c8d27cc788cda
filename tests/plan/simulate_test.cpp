// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/arrivals.hpp>
#include <cartwright/plan/simulation/simulate.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "simulation_samples.hpp"

namespace cartwright::plan {
namespace {

constexpr double ns = 1e-9;

// Rüfenacht 2020, 5.6: a_p = 500 ns, a_r = 100 ns, β = 0.4 ns/B, 10 ns of computing a stage.
Machine thesis_machine() {
  return flat_machine(pipelined(500 * ns, 100 * ns, 0.4 * ns), 10 * ns);
}

Simulation run_factors(int ranks, const std::vector<int>& stages, const Machine& machine) {
  return simulate(
      ranks,
      [&](int r) {
        return samples::factors({ranks, r}, stages);
      },
      Layout(Cuts::uniform(1, 1)), 8, machine);
}

void for_each_factorisation(int n, std::vector<int>& stages,
                            const std::function<void(const std::vector<int>&)>& body) {
  if (n == 1) return body(stages);
  for (int f = 2; f <= n; ++f) {
    if (n % f != 0) continue;
    stages.push_back(f);
    for_each_factorisation(n / f, stages, body);
    stages.pop_back();
  }
}

TEST(Simulate, FactorSchedulesTakeWhatTheFormulaSays) {
  const Machine machine = thesis_machine();
  int schedules = 0;
  for (int p = 2; p <= 64; ++p) {
    std::vector<int> stages;
    for_each_factorisation(p, stages, [&](const std::vector<int>& factors) {
      Picoseconds expected = 0;
      for (const int f : factors) expected += 500'000 + (f - 1) * 100'000 + 3'200 + 10'000;
      const Simulation result = run_factors(p, factors, machine);
      EXPECT_EQ(result.total, expected) << p;
      EXPECT_EQ(result.spread, 0) << p;
      ++schedules;
    });
  }
  EXPECT_EQ(schedules, 440);
}

TEST(Simulate, TotalsOfThesis) {
  const Machine machine = thesis_machine();
  EXPECT_EQ(run_factors(8, {2, 2, 2}, machine).total, 1'839'600);
  EXPECT_EQ(run_factors(8, {8}, machine).total, 1'213'200 + 0);
  EXPECT_EQ(run_factors(8, {4, 2}, machine).total, 1'426'400);
  EXPECT_EQ(run_factors(6, {3, 2}, machine).total, 1'326'400);
  const Machine archer = flat_machine(pipelined(880 * ns, 380 * ns));
  EXPECT_EQ(run_factors(64, {8, 8}, archer).total, 7'080'000);
  EXPECT_EQ(run_factors(64, {4, 4, 4}, archer).total, 6'060'000);
}

// Receiving and combining in one step is one computation a stage, too.
TEST(Simulate, DoublingWithReceiveCombine) {
  const Simulation result = simulate(
      8,
      [](int r) {
        return samples::recursive_doubling({8, r});
      },
      Layout(Cuts::uniform(1, 1)), 8, thesis_machine());
  EXPECT_EQ(result.total, 1'839'600);
  EXPECT_EQ(result.steps, 8 * 7);
  ASSERT_EQ(result.levels.size(), 1u);
  EXPECT_EQ(result.levels[0].all, (Traffic{24, 192}));
  EXPECT_EQ(result.levels[0].busiest, (Traffic{3, 24}));
  EXPECT_EQ(result.levels[0].busiest_unit, 0);
  EXPECT_EQ(result.sent_by(5, 0), (Traffic{3, 24}));
}

// Formulas of Viertel 2007, end-point exact LogGP, for L > g > o.
struct LogGp {
  Picoseconds latency = 4'500'000, send = 2'400'000, receive = 1'100'000, gap = 3'000'000;
  Picoseconds byte = 1'200;
  [[nodiscard]] Picoseconds bytes(Count n) const { return (n - 1) * byte; }
  [[nodiscard]] Picoseconds one() const { return send + latency + receive; }
  [[nodiscard]] Machine machine() const {
    return flat_machine(
        log_gp(seconds(latency), seconds(send), seconds(receive), seconds(gap), seconds(byte)));
  }
};

Layout blocks_of(int ranks, Count bytes) {
  return Layout(Cuts::uniform(ranks, bytes));
}

TEST(Simulate, AllgathersUnderLogGp) {
  const LogGp m;
  const Machine machine = m.machine();
  for (const int p : {4, 8, 16, 32})
    for (const Count s : {1, 1024, 32768}) {
      const auto run = [&](auto make) {
        return simulate(
            p,
            [&](int r) {
              return make(Team{p, r});
            },
            blocks_of(p, s), 1, machine);
      };
      EXPECT_EQ(run(samples::ring).total, (p - 1) * (m.one() + m.bytes(s)));
      Picoseconds exchange = m.one() + m.bytes(s);
      for (int t = 1; t < p / 2; ++t) exchange += m.one() + m.bytes(2 * s);
      EXPECT_EQ(run(samples::neighbour_exchange).total, exchange);
      Picoseconds doubling = 0;
      for (int d = 1; d < p; d *= 2) doubling += m.one() + m.bytes(d * s);
      EXPECT_EQ(run(samples::doubling_allgather).total, doubling);
    }
}

TEST(Simulate, LinearScatterUnderLogGp) {
  const LogGp m;
  const Machine machine = m.machine();
  for (const int p : {2, 3, 8, 28})
    for (const Count s : {1, 1024, 4096}) {
      const Simulation result = simulate(
          p,
          [&](int r) {
            return samples::linear_scatter({p, r});
          },
          blocks_of(p, s), 1, machine);
      const Picoseconds interval = std::max(m.send, m.gap + m.bytes(s));
      EXPECT_EQ(result.total, m.send + (p - 2) * interval + m.bytes(s) + m.latency + m.receive);
    }
}

// Culler 1993 as quoted by Viertel: L = 20, g = 10, o_s = 5, o_r = 6; times in seconds.
TEST(Simulate, WorkedExampleOfLogP) {
  const Machine machine = flat_machine(log_p(20, 5, 6, 10));
  const auto scatter = [&](int p) {
    return simulate(
               p,
               [p](int r) {
                 return samples::linear_scatter({p, r});
               },
               blocks_of(p, 1), 1, machine)
        .total;
  };
  EXPECT_EQ(scatter(2), picoseconds(31));
  EXPECT_EQ(scatter(4), picoseconds(51));
}

TEST(Simulate, BurstsUnderLogFp) {
  const double o_min = 0.5, o_max = 2.0, o_r = 1.5, g = 3.0, latency = 5.0;
  for (const int f : {2, 4}) {
    const Machine machine = flat_machine(log_fp(latency, o_min, o_max, o_r, g, f));
    for (int n = 1; n <= 12; ++n) {
      const double o = o_min + (o_max - o_min) / n;
      const double after = n <= f ? (n - 1) * o : std::max((n - 1) * o, (n - f) * g);
      const Simulation result = simulate(
          n + 1,
          [n](int r) {
            return samples::linear_scatter({n + 1, r});
          },
          blocks_of(n + 1, 1), 1, machine);
      EXPECT_NEAR(seconds(result.total), latency + o + o_r + after, 1e-9) << f << ' ' << n;
    }
  }
}

TEST(Simulate, ArrivalsDelay) {
  const std::vector<Picoseconds> late = one_late_arrival(8, 3, 1'000'000);
  SimulationOptions options;
  options.arrivals = late;
  const auto make = [](int r) { return samples::recursive_doubling({8, r}); };
  const Simulation result =
      simulate(8, make, Layout(Cuts::uniform(1, 1)), 8, thesis_machine(), options);
  EXPECT_EQ(result.total, 1'839'600 + 1'000'000);
  const auto even = ascending_arrivals(5, 400);
  EXPECT_EQ(even, (std::vector<Picoseconds>{0, 100, 200, 300, 400}));
  EXPECT_EQ(random_arrivals(9, 1000, 7), random_arrivals(9, 1000, 7));
}

TEST(Simulate, LevelsAndPlacement) {
  Machine machine = flat_machine(pipelined(1000 * ns, 100 * ns));
  machine.levels[0].name = "node";
  machine.levels.push_back({"core", 4, pipelined(200 * ns, 50 * ns), 1, {}});
  const auto make = [](int r) { return samples::recursive_doubling({16, r}); };
  const Layout layout(Cuts::uniform(1, 1));
  const Simulation blocks = simulate(16, make, layout, 8, machine);
  EXPECT_EQ(blocks.total, 2 * 250'000 + 2 * 1'100'000);
  EXPECT_EQ(blocks.levels[0].all.messages, 32);
  EXPECT_EQ(blocks.levels[0].busiest.messages, 8);
  EXPECT_EQ(blocks.levels[1].busiest.messages, 2);
  SimulationOptions options;
  options.placement = Placement::round_robin(machine, 16);
  const Simulation round = simulate(16, make, layout, 8, machine, options);
  EXPECT_EQ(round.levels[0].all.messages, 32);
  EXPECT_EQ(round.total, blocks.total);
  EXPECT_EQ(parting_level(machine, options.placement, 0, 1), 0u);
  EXPECT_EQ(parting_level(machine, options.placement, 0, 4), 1u);
  machine.levels[0].units = 2;
  EXPECT_THROW(simulate(16, make, layout, 8, machine), std::invalid_argument);
}

TEST(Simulate, PortsTakeMessagesSideBySide) {
  Machine machine = flat_machine(log_gp(10, 1, 1, 0, 1));
  const auto make = [](int r) { return samples::linear_scatter({5, r}); };
  const auto total = [&] { return simulate(5, make, blocks_of(5, 101), 1, machine).total; };
  EXPECT_EQ(total(), picoseconds(1 + 4 * 100 + 10 + 1));
  machine.levels[0].ports = 2;
  EXPECT_EQ(total(), picoseconds(2 + 2 * 100 + 10 + 1));
  machine.levels[0].ports = 4;
  EXPECT_EQ(total(), picoseconds(4 + 100 + 10 + 1));
}

TEST(Simulate, ConcurrentMessagesShareAChannel) {
  // Four ranks of a node each send 100 B to one of another node.
  Network network = log_gp(10, 0, 0, 0, 1);
  network.first_byte_is_free = false;
  Machine machine = flat_machine(network);
  machine.levels.push_back({"core", 4, network, 1, {}});
  const auto make = [](int r) {
    Builder build({8, r}, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
    if (r < 4) build.send(r + 4, build.input(0));
    if (r >= 4) build.receive(r - 4, build.output(0));
    return std::move(build).finish();
  };
  const auto total = [&](const std::vector<Picoseconds>& arrivals = {}) {
    SimulationOptions options;
    options.arrivals = arrivals;
    return simulate(8, make, Layout(Cuts::uniform(1, 100)), 1, machine, options).total;
  };
  EXPECT_EQ(total(), picoseconds(110));
  machine.levels[0].leaving.bandwidth = {1.0};
  EXPECT_EQ(total(), picoseconds(410));
  machine.levels[0].leaving.bandwidth = {1.0, 2.0};
  EXPECT_EQ(total(), picoseconds(210));
  machine.levels[0].leaving.bandwidth = {1.0, 1.5, 1.8, 2.0};
  EXPECT_EQ(total(), picoseconds(210));
  // The first has 50 s to itself, then shares with the second until its last 50 B are through.
  machine.levels[0].leaving.bandwidth = {1.0};
  const auto s = picoseconds(1);
  EXPECT_EQ(total({0, 50 * s, 1000 * s, 2000 * s, 0, 0, 0, 0}), 2110 * s);
  SimulationOptions options;
  const std::vector<Picoseconds> arrivals{0, 50 * s, 1000 * s, 2000 * s, 0, 0, 0, 0};
  options.arrivals = arrivals;
  const Simulation result = simulate(8, make, Layout(Cuts::uniform(1, 100)), 1, machine, options);
  EXPECT_EQ(result.finish[4], 160 * s);
  EXPECT_EQ(result.finish[5], 210 * s);
}

TEST(Simulate, MessagesInsideAUnitShareAChannel) {
  // Nodes of two sockets of two cores. On the first node, 0 sends 100 B to 1 (in its socket) and 2
  // to 0 (in the other one); on the second one 4 sends to 5; and 6 sends to 3, between nodes.
  Network network = log_gp(10, 0, 0, 0, 1);
  network.first_byte_is_free = false;
  Machine machine = flat_machine(network);
  machine.levels.push_back({"socket", 2, network, 1, {}});
  machine.levels.push_back({"core", 2, network, 1, {}});
  constexpr std::array<std::pair<int, int>, 4> messages{{{0, 1}, {2, 0}, {4, 5}, {6, 3}}};
  const auto make = [&](int r) {
    Builder build({8, r}, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
    for (const auto& [from, to] : messages)
      if (r == from) build.send(to, build.input(0));
    for (const auto& [from, to] : messages)
      if (r == to) build.receive(from, build.output(0));
    return std::move(build).finish();
  };
  const auto finish = [&](Execution execution) {
    SimulationOptions options;
    options.execution = execution;
    return simulate(8, make, Layout(Cuts::uniform(1, 100)), 1, machine, options).finish;
  };
  for (const auto execution : {Execution::in_order, Execution::by_dependencies}) {
    const auto s = picoseconds(1);
    machine.levels[0].inside.bandwidth.clear();
    machine.levels[1].inside.bandwidth.clear();
    EXPECT_EQ(finish(execution),
              (std::vector{110 * s, 110 * s, 0 * s, 110 * s, 0 * s, 110 * s, 0 * s, 0 * s}));
    machine.levels[0].inside.bandwidth = {1.0};
    EXPECT_EQ(finish(execution),
              (std::vector{210 * s, 210 * s, 0 * s, 110 * s, 0 * s, 110 * s, 0 * s, 0 * s}));
    machine.levels[0].inside.bandwidth = {1.0, 1.6};
    EXPECT_EQ(finish(execution),
              (std::vector{135 * s, 135 * s, 0 * s, 110 * s, 0 * s, 110 * s, 0 * s, 0 * s}));
    // Of a socket: what goes to the other one isn't in it.
    machine.levels[0].inside.bandwidth.clear();
    machine.levels[1].inside.bandwidth = {0.5};
    EXPECT_EQ(finish(execution),
              (std::vector{110 * s, 210 * s, 0 * s, 110 * s, 0 * s, 210 * s, 0 * s, 0 * s}));
  }
}

TEST(Simulate, AMessageGoesThroughOneChannelAtMost) {
  Machine machine = flat_machine(log_gp(10, 0, 0, 0, 1));
  machine.levels[0].leaving.bandwidth = {1.0};
  machine.levels[0].inside.bandwidth = {1.0};
  machine.levels.push_back({"socket", 2, machine.levels[0].network, 1, {}});
  machine.levels.push_back({"core", 2, machine.levels[0].network, 1, {}});
  EXPECT_NO_THROW(check_levels(machine));
  EXPECT_EQ(channel_of(machine, 0).bandwidth, &machine.levels[0].leaving);
  for (const std::size_t level : {1U, 2U}) {
    EXPECT_EQ(channel_of(machine, level).bandwidth, &machine.levels[0].inside);
    EXPECT_EQ(channel_of(machine, level).owner, 0U);
  }
  machine.levels[2].leaving.bandwidth = {1.0};
  EXPECT_THROW(check_levels(machine), std::invalid_argument);
  machine.levels[2].leaving.bandwidth.clear();
  machine.levels[1].inside.bandwidth = {1.0};
  EXPECT_THROW(check_levels(machine), std::invalid_argument);
  const auto make = [](int r) { return samples::ring({8, r}); };
  EXPECT_THROW((void)simulate(8, make, blocks_of(8, 1000), 1, machine), std::invalid_argument);
}

// A channel that gives one message after the other what the network's byte time says changes
// nothing.
TEST(Simulate, ChannelWithoutCompetitionChangesNothing) {
  for (const int ports : {1, 2}) {
    Machine machine = flat_machine(log_gp(1e-6, 2e-7, 1e-7, 5e-8, 1e-9));
    machine.levels[0].ports = ports;
    const auto run = [&](auto make, int p) {
      return simulate(
          p,
          [&](int r) {
            return make(Team{p, r});
          },
          blocks_of(p, 1000), 1, machine);
    };
    for (const int p : {2, 5, 16}) {
      machine.levels[0].leaving.bandwidth.clear();
      const Simulation free = run(samples::ring, p);
      const Simulation scatter = run(samples::linear_scatter, p);
      machine.levels[0].leaving.bandwidth = {1e9, 2e9};
      EXPECT_EQ(run(samples::ring, p).finish, free.finish);
      EXPECT_EQ(run(samples::linear_scatter, p).finish, scatter.finish);
    }
  }
}

TEST(Simulate, NoiseIsTheSameEveryTime) {
  SimulationOptions options;
  options.noise = {.seed = 3, .latency = 50 * ns, .overhead = 10 * ns, .shape = 2};
  const auto make = [](int r) { return samples::recursive_doubling({64, r}); };
  const auto run = [&] {
    return simulate(64, make, Layout(Cuts::uniform(1, 1)), 8, thesis_machine(), options);
  };
  const Simulation first = run();
  EXPECT_EQ(first.finish, run().finish);
  EXPECT_GT(first.total, 6 * 613'200);
  options.record = Record::timeline;
  EXPECT_EQ(first.finish, run().finish);
  options.noise.seed = 4;
  EXPECT_NE(first.finish, run().finish);
  double sum = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i)
    sum += static_cast<double>(extra_time(options.noise, 1e-6, i, 1, 2));
  EXPECT_NEAR(sum / 20'000, 1e6, 2e4);
}

TEST(Simulate, LayoutsByRankAndEmptyBlocks) {
  // Rank r gets r elements: nothing is sent to rank 0, and rank 0's own copy falls away.
  const std::vector<Count> offsets{0, 0, 1, 3, 6};
  const auto make = [](int r) { return samples::linear_scatter({4, r}); };
  const Simulation result = simulate(
      4, make, [&](int) { return Layout(Cuts::at(offsets)); }, 8, thesis_machine());
  EXPECT_EQ(result.steps, 6);
  EXPECT_EQ(result.levels[0].all, (Traffic{3, 48}));
}

TEST(Simulate, SaysWhichRankThereIsNot) {
  const auto make = [](int r) { return samples::recursive_doubling({4, r}); };
  EXPECT_THROW(simulate(2, make, Layout(Cuts::uniform(1, 1)), 8, thesis_machine()),
               std::runtime_error);
}

TEST(Simulate, SaysWhichMessageIsMissing) {
  const auto make = [](int r) {
    Builder build({2, r}, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
    if (r == 0) build.receive(1, build.output(0));
    return std::move(build).finish();
  };
  EXPECT_THROW(simulate(2, make, Layout(Cuts::uniform(1, 1)), 8, thesis_machine()),
               std::runtime_error);
}

TEST(Simulate, TimelineHasAllSteps) {
  SimulationOptions options;
  options.record = Record::timeline;
  const auto make = [](int r) { return samples::chain({4, r}, 5); };
  const Simulation result =
      simulate(4, make, Layout(Cuts::uniform(5, 10)), 8, thesis_machine(), options);
  ASSERT_EQ(static_cast<Count>(result.timeline.steps.size()), result.steps);
  for (const TimelineStep& step : result.timeline.steps) {
    EXPECT_LE(step.due, step.begin);
    EXPECT_LE(step.begin, step.end);
    EXPECT_EQ(step.bytes, 80);
    if (step.kind == StepKind::send) {
      EXPECT_EQ(step.arrival, step.end + 500'000 + 32'000);
    }
  }
  EXPECT_EQ(result.timeline.steps.back().end, result.finish[3]);
}

}  // namespace
}  // namespace cartwright::plan
