// SPDX-License-Identifier: Apache-2.0
#include "by_dependencies.hpp"

#include <cartwright/plan/dependencies.hpp>

#include <algorithm>

#include "pending.hpp"

namespace cartwright::plan::simulation {

namespace {

bool is_receive(const CompactStep& step) {
  return step.kind() == StepKind::receive || step.kind() == StepKind::receive_combine;
}

// From each send to its receive. The number of a message names it among those of two ranks.
void add_messages(const CompactSchedules& schedules,
                  std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  PendingMessages sends;  // and the numbers of their steps
  const auto for_each_step = [&](auto body) {
    for (int r = 0; r < schedules.ranks(); ++r)
      for (std::size_t i = schedules.begin(r); i < schedules.end(r); ++i)
        body(r, static_cast<std::uint32_t>(i), schedules.steps()[i]);
  };
  for_each_step([&](int rank, std::uint32_t i, const CompactStep& step) {
    if (step.kind() == StepKind::send) sends.put({rank, step.peer, step.number}, i);
  });
  for_each_step([&](int rank, std::uint32_t i, const CompactStep& step) {
    if (!is_receive(step)) return;
    std::int64_t send = 0;
    if (!sends.take({step.peer, rank, step.number}, send)) throw_waits(rank, step);
    edges.emplace_back(static_cast<std::uint32_t>(send), i);
  });
  if (!sends.empty()) throw_left_over(sends.any());
}

std::vector<GraphNode> nodes_of_steps(
    const CompactSchedules& schedules,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  std::vector<GraphNode> nodes(schedules.steps().size());
  for (int r = 0; r < schedules.ranks(); ++r)
    for (std::size_t i = schedules.begin(r); i < schedules.end(r); ++i) {
      const CompactStep& step = schedules.steps()[i];
      GraphNode& node = nodes[i];
      node.kind = step.kind() == StepKind::send ? TaskKind::put : TaskKind::compute;
      node.process = r;
      node.peer = step.peer;
      node.number = step.number;
      node.index = static_cast<std::int32_t>(i - schedules.begin(r));
      node.cost = step.cost();
      node.duration = schedules.cost(step).processor;
    }
  for (const auto& edge : edges) ++nodes[edge.second].need;
  return nodes;
}

}  // namespace

void ByDependencies::add(CompactSchedules& schedules, const Schedule& schedule,
                         const Layout& layout, std::size_t element_size) {
  const auto base = static_cast<std::uint32_t>(schedules.steps().size());
  std::vector<std::int32_t> kept;
  schedules.add(schedule, layout, element_size, &kept);
  const Dependencies dependencies(schedule);
  for (std::size_t k = 0; k < kept.size(); ++k)
    for (const std::int32_t before : dependencies.before(static_cast<std::size_t>(kept[k]))) {
      const auto at = std::ranges::lower_bound(kept, before);
      if (at == kept.end() || *at != before) continue;  // left out
      edges_.emplace_back(base + static_cast<std::uint32_t>(at - kept.begin()),
                          base + static_cast<std::uint32_t>(k));
    }
}

Outcome ByDependencies::run(const CompactSchedules& schedules, const SimulationOptions& options) {
  add_messages(schedules, edges_);
  const Graph graph(nodes_of_steps(schedules, edges_), edges_);
  GraphOutcome times =
      run_graph(graph, schedules.ranks(), schedules.table(), schedules.machine(), options);
  Outcome outcome{std::move(times.finish), {}};
  for (int r = 0; r < schedules.ranks(); ++r)
    for (std::size_t i = schedules.begin(r); i < schedules.end(r); ++i) {
      const CompactStep& step = schedules.steps()[i];
      const TaskTimes& time = times.nodes[i];
      if (time.begin == TaskTimes::never) throw_waits(r, step);
      if (options.record != Record::timeline) continue;
      outcome.steps.push_back({step.kind(), r, static_cast<std::int32_t>(i - schedules.begin(r)),
                               step.peer, step.number, schedules.cost(step).bytes, time.begin,
                               time.begin, time.end,
                               step.kind() == StepKind::send ? time.delivered : 0});
    }
  return outcome;
}

}  // namespace cartwright::plan::simulation
