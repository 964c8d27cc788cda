// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>

#include "simulate/graph.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace cartwright::plan {

/// Task::need of a task that waits for all of its edges.
inline constexpr int all_edges = -1;

struct Task {
  TaskKind kind = TaskKind::proxy;
  int process = 0;
  int peer = -1;             ///< put, get: the other process
  Count bytes = 0;           ///< put, get
  Picoseconds duration = 0;  ///< sleep, compute
  bool blocking = false;     ///< put, get: the processor is busy until the data have arrived
  int need = all_edges;      ///< fires when so many of its edges have; later ones change nothing
};

/// For tests: what the simulator runs when it goes by dependencies, written by hand. A program for
/// the processes of a machine: tasks, of which each fires once the tasks before it have, and its
/// process is free. Of several that could, that which was added first.
class TaskGraph {
 public:
  /// Returns the task's number, counted from 0.
  int add(const Task& task);
  /// `to` comes after `from`. When both belong to the same process, once its processor is done with
  /// `from` (of a get, and of anything that blocks: once the data have arrived; of a sleep: once it
  /// is over); when not, once the data of `from` have arrived.
  void edge(int from, int to);

  [[nodiscard]] int processes() const { return processes_; }
  [[nodiscard]] const std::vector<Task>& tasks() const { return tasks_; }
  [[nodiscard]] const std::vector<std::pair<int, int>>& edges() const { return edges_; }

 private:
  std::vector<Task> tasks_;
  std::vector<std::pair<int, int>> edges_;
  int processes_ = 0;
};

struct TaskRun {
  std::vector<TaskTimes> tasks;     ///< by task; those that never fired stay as they were
  std::vector<Picoseconds> finish;  ///< by process: the processor is done with its last task
  Picoseconds total = 0;            ///< the latest
  Picoseconds spread = 0;           ///< the latest less the earliest
};

/// Runs a task graph on a machine: puts and gets cost the sender what a send does by network.hpp,
/// and the process at the other end nothing. Throws std::invalid_argument for processes that the
/// machine has no room for. `execution` and `record` of the options don't matter here.
TaskRun run_tasks(const TaskGraph& graph, const Machine& machine,
                  const SimulationOptions& options = {});

}  // namespace cartwright::plan
