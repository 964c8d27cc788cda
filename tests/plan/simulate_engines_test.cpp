// SPDX-License-Identifier: Apache-2.0
// The engine that lets ranks run ahead against the one that goes by time: schedules as chains of
// tasks end at the same time on every machine.
#include "task_graph.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/simulation/arrivals.hpp>

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "simulation_samples.hpp"

namespace cartwright::plan {
namespace {

struct Work {
  std::string name;
  int ranks;
  int blocks;
  ScheduleMaker make;
};

std::vector<Work> works() {
  const Stages merged = parse_stages("m3g8a5,a4,n3g20a2");
  return {
      {"ring", 13, 13,
       [](int r) {
         return samples::ring({13, r});
       }},
      {"doubling", 32, 1,
       [](int r) {
         return samples::recursive_doubling({32, r});
       }},
      {"alltoall", 12, 12,
       [](int r) {
         return samples::direct_alltoall({12, r});
       }},
      {"scatter", 19, 19,
       [](int r) {
         return samples::linear_scatter({19, r});
       }},
      {"chain", 9, 7,
       [](int r) {
         return samples::chain({9, r}, 7);
       }},
      {"neighbour", 16, 16,
       [](int r) {
         return samples::neighbour_exchange({16, r});
       }},
      {"merged", 43, 1,
       [merged](int r) {
         return allreduce::staged({43, r}, merged);
       }},
      {"folded", 27, 1,
       [](int r) {
         return allreduce::recursive_doubling({27, r});
       }},
      {"rabenseifner", 21, 16,
       [](int r) {
         return allreduce::rabenseifner({21, r});
       }},
  };
}

std::vector<Machine> machines() {
  std::vector<Machine> all;
  all.push_back(flat_machine(pipelined(500e-9, 100e-9, 0.4e-9)));
  all.push_back(flat_machine(hockney(2e-6, 1e-9)));
  all.push_back(flat_machine(log_gp(1e-6, 2e-7, 3e-7, 4e-7, 1.7e-9)));
  all.push_back(all.back());
  all.back().levels[0].ports = 3;
  const Network near = log_gp(2e-7, 1e-7, 1e-7, 3e-8, 1e-10);
  all.push_back(all[2]);
  all.back().levels.push_back({"core", 5, near, 1, {}});
  all.push_back(all.back());
  all.back().levels[0].leaving.bandwidth = {6e8, 9e8, 1e9};
  all.push_back(all.back());
  all.back().levels[0].ports = 2;
  all.push_back(all.back());
  all.back().levels[0].network.bytes_hold_port = false;
  all.back().levels[1].leaving.bandwidth = {1e10, 1.1e10};
  all.push_back(all[5]);
  all.back().levels[0].inside.bandwidth = {1e10, 1.1e10, 1.3e10};
  for (Machine& machine : all) {
    machine.reduce_byte_time = 3e-10;
    machine.copy_byte_time = 1e-10;
  }
  return all;
}

Picoseconds receive_time(const Machine& machine, int a, int b, Count bytes) {
  return picoseconds(
      machine.levels[parting_level(machine, a, b)].network.receive_overhead.at(bytes));
}

TaskGraph chains(const Work& work, const Machine& machine, Count block) {
  TaskGraph graph;
  std::map<std::tuple<int, int, int>, int> sends;
  std::vector<std::tuple<int, int, int, int>> receives;
  for (int r = 0; r < work.ranks; ++r) {
    const Schedule schedule = work.make(r);
    int before = graph.add({.kind = TaskKind::start, .process = r});
    for (const Step& step : schedule.steps()) {
      const Count bytes = step.count * block;
      const auto data = static_cast<double>(bytes);
      Task task{.kind = TaskKind::compute, .process = r};
      if (step.sends()) {
        task.kind = TaskKind::put;
        task.peer = step.peer;
        task.bytes = bytes;
      } else if (step.kind == StepKind::copy) {
        task.duration = picoseconds(machine.copy_byte_time * data);
      } else {
        if (step.receives()) task.duration = receive_time(machine, r, step.peer, bytes);
        if (step.kind != StepKind::receive)
          task.duration += picoseconds(machine.reduce_byte_time * data);
      }
      const int now = graph.add(task);
      graph.edge(before, now);
      if (step.sends()) sends[{r, step.peer, step.number}] = now;
      if (step.receives()) receives.emplace_back(step.peer, r, step.number, now);
      before = now;
    }
  }
  for (const auto& [from, to, number, task] : receives)
    graph.edge(sends.at({from, to, number}), task);
  return graph;
}

TEST(SimulateEngines, EndAtTheSameTime) {
  const Count block = 700;
  int number = 0;
  for (const Machine& machine : machines()) {
    ++number;
    for (const Work& work : works()) {
      const TaskGraph graph = chains(work, machine, block);
      for (const Picoseconds latest : {0, 3'000'000}) {
        const auto arrivals = random_arrivals(work.ranks, latest, 5);
        SimulationOptions options;
        options.arrivals = arrivals;
        const Simulation ahead = simulate(
            work.ranks, work.make, Layout(Cuts::uniform(work.blocks, block)), 1, machine, options);
        const TaskRun by_time = run_tasks(graph, machine, options);
        EXPECT_EQ(ahead.finish, by_time.finish)
            << work.name << " on machine " << number << ", latest arrival " << latest;
      }
    }
  }
}

}  // namespace
}  // namespace cartwright::plan
