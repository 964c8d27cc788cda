// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace cartwright::plan {

/// What a task does (Rüfenacht 2020, 4.3).
enum class TaskKind : std::uint8_t {
  start,    ///< nothing; the beginning of a process
  proxy,    ///< nothing; gathers edges
  sleep,    ///< lets `duration` pass; the processor is free meanwhile
  compute,  ///< keeps the processor busy for `duration`
  put,      ///< sends `bytes` to `peer`
  get,      ///< asks `peer` for `bytes`, and receives them
};

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

/// A program for the processes of a machine: tasks, of which each fires once the tasks before it
/// have, and its process is free. Of several that could, that which was added first.
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

struct TaskTimes {
  static constexpr Picoseconds never = -1;
  Picoseconds begin = never;
  Picoseconds end = never;        ///< the processor is done with it
  Picoseconds delivered = never;  ///< put, get: the data have arrived
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
