// SPDX-License-Identifier: Apache-2.0
#include "task_graph.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/simulation/arrivals.hpp>

#include <gtest/gtest.h>

#include "simulation_samples.hpp"

namespace cartwright::plan {
namespace {

// a_p = 500, a_r = 100, all in ps.
Machine small_machine() {
  return flat_machine(pipelined(500e-12, 100e-12));
}

TEST(TaskGraph, PingPong) {
  TaskGraph graph;
  const int start = graph.add({.kind = TaskKind::start, .process = 0});
  const int ping = graph.add({.kind = TaskKind::put, .process = 0, .peer = 1, .bytes = 8});
  const int pong = graph.add({.kind = TaskKind::put, .process = 1, .peer = 0, .bytes = 8});
  const int end = graph.add({.kind = TaskKind::proxy, .process = 0});
  graph.edge(start, ping);
  graph.edge(ping, pong);
  graph.edge(pong, end);
  const TaskRun run = run_tasks(graph, small_machine());
  EXPECT_EQ(run.total, 1200);
  EXPECT_EQ(run.finish, (std::vector<Picoseconds>{1200, 700}));
  EXPECT_EQ(run.tasks[1].delivered, 600);
}

TEST(TaskGraph, MulticastTakesWhatTheModelSays) {
  for (const bool blocking : {false, true}) {
    TaskGraph graph;
    std::vector<int> gathered;
    const int start = graph.add({.kind = TaskKind::start, .process = 0});
    int before = start;
    for (int b = 1; b <= 5; ++b) {
      const int put = graph.add(
          {.kind = TaskKind::put, .process = 0, .peer = b, .bytes = 8, .blocking = blocking});
      graph.edge(before, put);
      before = put;
      const int got = graph.add({.kind = TaskKind::proxy, .process = b});
      graph.edge(put, got);
    }
    const TaskRun run = run_tasks(graph, small_machine());
    EXPECT_EQ(run.total, blocking ? 5 * 600 : 500 + 5 * 100);
  }
}

TEST(TaskGraph, FiresAtTheThirdOfFive) {
  TaskGraph graph;
  std::vector<int> puts;
  for (int p = 1; p <= 5; ++p) {
    const int nap =
        graph.add({.kind = TaskKind::sleep, .process = p, .duration = 1000 * ((p * 2) % 5)});
    const int put = graph.add({.kind = TaskKind::put, .process = p, .peer = 0, .bytes = 8});
    graph.edge(nap, put);
    puts.push_back(put);
  }
  const int any = graph.add({.kind = TaskKind::compute, .process = 0, .duration = 50, .need = 3});
  const int all = graph.add({.kind = TaskKind::compute, .process = 0, .duration = 10});
  for (const int put : puts) {
    graph.edge(put, any);
    graph.edge(put, all);
  }
  const TaskRun run = run_tasks(graph, small_machine());
  EXPECT_EQ(run.tasks[static_cast<std::size_t>(any)].begin, 2600);
  EXPECT_EQ(run.tasks[static_cast<std::size_t>(all)].begin, 4600);
  EXPECT_EQ(run.finish[0], 4610);
}

TEST(TaskGraph, GetsAndWaitsForTheProcess) {
  TaskGraph graph;
  const int start = graph.add({.kind = TaskKind::start, .process = 0});
  const int get =
      graph.add({.kind = TaskKind::get, .process = 0, .peer = 1, .bytes = 8, .blocking = true});
  const int first = graph.add({.kind = TaskKind::compute, .process = 0, .duration = 30});
  const int second = graph.add({.kind = TaskKind::compute, .process = 0, .duration = 40});
  graph.edge(start, get);
  graph.edge(start, second);
  graph.edge(get, first);
  const TaskRun run = run_tasks(graph, small_machine());
  // The get was added before what else could run.
  EXPECT_EQ(run.tasks[static_cast<std::size_t>(get)].delivered, 1100);
  EXPECT_EQ(run.tasks[static_cast<std::size_t>(first)].begin, 1100);
  EXPECT_EQ(run.tasks[static_cast<std::size_t>(second)].begin, 1130);
  EXPECT_EQ(run.total, 1170);
}

TEST(TaskGraph, NeverFires) {
  TaskGraph graph;
  const int a = graph.add({.kind = TaskKind::proxy, .process = 0});
  const int b = graph.add({.kind = TaskKind::proxy, .process = 0});
  graph.edge(a, b);
  graph.edge(b, a);
  EXPECT_EQ(run_tasks(graph, small_machine()).tasks[0].begin, TaskTimes::never);
  EXPECT_THROW(graph.edge(0, 2), std::invalid_argument);
  EXPECT_THROW(graph.add({.kind = TaskKind::put, .process = 0}), std::invalid_argument);
}

Simulation run_by(Execution execution, int p, const ScheduleMaker& make, const Layout& layout,
                  std::span<const Picoseconds> arrivals = {}) {
  const Machine machine = flat_machine(log_gp(4.5e-6, 2.4e-6, 1.1e-6, 3.0e-6, 1.2e-9), 5e-7);
  SimulationOptions options;
  options.execution = execution;
  options.record = Record::timeline;
  options.arrivals = arrivals;
  return simulate(p, make, layout, 1, machine, options);
}

// Where each step needs the one before it, the order of the list is the only one.
TEST(ByDependencies, ChainsOfStepsTakeAsLong) {
  const auto make = [](int r) { return samples::recursive_doubling({16, r}); };
  const Layout layout(Cuts::uniform(1, 64));
  const Simulation listed = run_by(Execution::in_order, 16, make, layout);
  const Simulation free = run_by(Execution::by_dependencies, 16, make, layout);
  EXPECT_EQ(free.finish, listed.finish);
  EXPECT_EQ(free.steps, listed.steps);
  EXPECT_EQ(free.timeline.steps.size(), listed.timeline.steps.size());
}

// A rank that is late delays only those messages that come from it.
TEST(ByDependencies, TakesMessagesAsTheyCome) {
  const auto make = [](int r) { return samples::direct_alltoall({8, r}); };
  const Layout layout(Cuts::uniform(8, 64));
  const auto late = one_late_arrival(8, 7, 60'000'000);
  const Simulation listed = run_by(Execution::in_order, 8, make, layout, late);
  const Simulation free = run_by(Execution::by_dependencies, 8, make, layout, late);
  EXPECT_LT(free.finish[0], listed.finish[0]);
  EXPECT_EQ(free.levels[0].all, listed.levels[0].all);
  for (const TimelineStep& step : free.timeline.steps) {
    EXPECT_LE(step.begin, step.end);
  }
}

TEST(ByDependencies, FactorSchedulesTakeWhatTheFormulaSays) {
  Machine machine = flat_machine(pipelined(5e-7, 1e-7, 4e-10));
  machine.stage_overhead = 1e-8;
  SimulationOptions options;
  options.execution = Execution::by_dependencies;
  for (const std::vector<int>& factors : {std::vector<int>{2, 2, 2}, {4, 2}, {3, 3}, {8}}) {
    int p = 1;
    Picoseconds expected = 0;
    for (const int f : factors) {
      p *= f;
      expected += 500'000 + (f - 1) * 100'000 + 3'200 + 10'000;
    }
    const Simulation result = simulate(
        p,
        [&](int r) {
          return allreduce::recursive_multiplying({p, r}, factors);
        },
        Layout(Cuts::uniform(1, 1)), 8, machine, options);
    EXPECT_EQ(result.total, expected) << p;
  }
}

// Channels are shared the same way, whatever the order.
TEST(ByDependencies, SharesChannels) {
  Machine machine = flat_machine(log_gp(1e-6, 1e-7, 1e-7, 1e-8, 1e-9));
  machine.levels.push_back({"core", 4, machine.levels[0].network, 1, {}});
  machine.levels[0].leaving.bandwidth = {1e9, 1.5e9};
  SimulationOptions options;
  const auto total = [&](Execution execution) {
    options.execution = execution;
    return simulate(
               16,
               [](int r) {
                 return samples::recursive_doubling({16, r});
               },
               Layout(Cuts::uniform(1, 1000)), 8, machine, options)
        .finish;
  };
  EXPECT_EQ(total(Execution::in_order), total(Execution::by_dependencies));
}

}  // namespace
}  // namespace cartwright::plan
