// SPDX-License-Identifier: Apache-2.0
#include "task_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cartwright::plan {

int TaskGraph::add(const Task& task) {
  const bool transfers = task.kind == TaskKind::put || task.kind == TaskKind::get;
  if (task.process < 0 || (transfers && task.peer < 0))
    throw std::invalid_argument("a task needs a process, and a transfer a peer, of at least 0");
  tasks_.push_back(task);
  processes_ = std::max({processes_, task.process + 1, transfers ? task.peer + 1 : 0});
  return static_cast<int>(tasks_.size()) - 1;
}

void TaskGraph::edge(int from, int to) {
  const auto known = [this](int task) {
    return task >= 0 && task < static_cast<int>(tasks_.size());
  };
  if (!known(from) || !known(to))
    throw std::invalid_argument("an edge leads from task " + std::to_string(from) + " to " +
                                std::to_string(to) + ", of " + std::to_string(tasks_.size()));
  edges_.emplace_back(from, to);
}

namespace {

std::vector<simulation::GraphNode> nodes_of(const TaskGraph& graph, const Machine& machine,
                                            const Placement& placement,
                                            simulation::CostTable& table) {
  std::vector<int> edges(graph.tasks().size(), 0);
  for (const auto& [from, to] : graph.edges()) ++edges[static_cast<std::size_t>(to)];
  std::vector<simulation::GraphNode> nodes;
  for (std::size_t t = 0; t < graph.tasks().size(); ++t) {
    const Task& task = graph.tasks()[t];
    simulation::GraphNode& node = nodes.emplace_back();
    node.kind = task.kind;
    node.blocking = task.blocking;
    node.process = task.process;
    node.peer = task.peer;
    node.need = task.need == all_edges ? edges[t] : task.need;
    node.needs_all = node.need == edges[t];
    node.index = node.number = static_cast<std::int32_t>(t);
    node.duration = task.duration;
    if (task.kind != TaskKind::put && task.kind != TaskKind::get) continue;
    simulation::CostKey key;
    key.kind = StepKind::send;
    key.level =
        static_cast<std::int32_t>(parting_level(machine, placement, task.process, task.peer));
    key.burst = 1;
    key.bytes = task.bytes;
    node.cost = table.find(key);
  }
  return nodes;
}

}  // namespace

TaskRun run_tasks(const TaskGraph& graph, const Machine& machine,
                  const SimulationOptions& options) {
  simulation::check_room(graph.processes(), machine, options.placement);
  simulation::CostTable table(machine);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& [from, to] : graph.edges())
    edges.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  const simulation::Graph nodes(nodes_of(graph, machine, options.placement, table), edges);
  simulation::GraphOutcome outcome =
      simulation::run_graph(nodes, graph.processes(), table, machine, options);
  TaskRun run{std::move(outcome.nodes), std::move(outcome.finish), 0, 0};
  if (run.finish.empty()) return run;
  const auto [earliest, latest] = std::ranges::minmax(run.finish);
  run.total = latest;
  run.spread = latest - earliest;
  return run;
}

}  // namespace cartwright::plan
