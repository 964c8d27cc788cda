// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "costs.hpp"

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

struct TaskTimes {
  static constexpr Picoseconds never = -1;
  Picoseconds begin = never;
  Picoseconds end = never;        ///< the processor is done with it
  Picoseconds delivered = never;  ///< put, get: the data have arrived
};

}  // namespace cartwright::plan

namespace cartwright::plan::simulation {

/// A task with its costs.
struct GraphNode {
  TaskKind kind = TaskKind::compute;
  bool blocking = false;
  bool needs_all = true;  ///< of its edges
  std::int32_t process = 0;
  std::int32_t peer = -1;
  std::int32_t need = 0;
  std::int32_t index = 0;   ///< in its process, for the names of noise
  std::int32_t number = 0;  ///< of a message, for the names of noise
  std::uint32_t cost = 0;   ///< put, get
  Picoseconds duration = 0;
};

/// Nodes, and to which others each leads.
class Graph {
 public:
  Graph(std::vector<GraphNode> nodes,
        const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

  [[nodiscard]] const std::vector<GraphNode>& nodes() const { return nodes_; }
  [[nodiscard]] std::span<const std::uint32_t> after(std::uint32_t node) const {
    return std::span(after_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<GraphNode> nodes_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> after_;
};

struct GraphOutcome {
  std::vector<TaskTimes> nodes;
  std::vector<Picoseconds> finish;  ///< by process
};

GraphOutcome run_graph(const Graph& graph, int processes, const CostTable& table,
                       const Machine& machine, const SimulationOptions& options);

}  // namespace cartwright::plan::simulation
