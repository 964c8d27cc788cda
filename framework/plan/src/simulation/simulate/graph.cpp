// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "ports.hpp"
#include "transfers.hpp"

namespace cartwright::plan::simulation {

Graph::Graph(std::vector<GraphNode> nodes,
             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges)
    : nodes_(std::move(nodes)), first_(nodes_.size() + 1, 0), after_(edges.size()) {
  for (const auto& [from, to] : edges) ++first_[from + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const auto& [from, to] : edges) after_[next[from]++] = to;
}

namespace {

// Tasks that wait for their process, the first on top.
using WaitingTasks = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

struct GraphProcess {
  Picoseconds busy_until = 0;
  bool wakes = false;  // an event comes when it is free
  WaitingTasks waiting;
};

enum class GraphEventKind : std::uint8_t {  // what comes first at one time comes first here
  edge,                                     // one of the edges of a node that doesn't need all
  ready,                                    // a node has what it needs
  wakes,                                    // a process is free, and nodes wait for it
};

struct GraphEvent {
  Picoseconds time = 0;
  GraphEventKind kind = GraphEventKind::ready;
  std::uint32_t subject = 0;                       // the node, or the process
  bool operator<(const GraphEvent& other) const {  // the earliest is on top
    if (time != other.time) return time > other.time;
    return kind != other.kind ? kind > other.kind : subject > other.subject;
  }
};

class GraphEngine {
 public:
  GraphEngine(const Graph& graph, int processes, const CostTable& table, const Machine& machine,
              const SimulationOptions& options)
      : graph_(graph),
        costs_(table.costs()),
        noise_(options.noise),
        processes_(static_cast<std::size_t>(processes)),
        got_(graph.nodes().size()),
        times_(graph.nodes().size()),
        ports_(processes, machine),
        transfers_(processes, table, machine, options.placement, ports_) {
    for (std::size_t p = 0; p < options.arrivals.size(); ++p)
      processes_[p].busy_until = options.arrivals[p];
    for (std::uint32_t n = 0; n < graph.nodes().size(); ++n)
      if (graph.nodes()[n].need == 0) events_.push({0, GraphEventKind::ready, n});
  }

  GraphOutcome run() {
    while (!events_.empty() || !transfers_.idle()) {
      if (!transfers_.idle() && (events_.empty() || transfers_.next_time() <= events_.top().time)) {
        Transfer done;
        Picoseconds through = 0;
        if (transfers_.advance(done, through))
          deliver(static_cast<std::uint32_t>(done.record), through + costs_[done.cost].latency);
        continue;
      }
      const GraphEvent event = events_.top();
      events_.pop();
      if (event.kind == GraphEventKind::edge) {
        count_edge(event.subject, event.time);
      } else if (event.kind == GraphEventKind::ready) {
        ready(event.subject, event.time);
      } else {
        wake(event.subject, event.time);
      }
    }
    GraphOutcome outcome{std::move(times_), {}};
    for (const GraphProcess& process : processes_) outcome.finish.push_back(process.busy_until);
    return outcome;
  }

 private:
  GraphProcess& process_of(const GraphNode& node) {
    return processes_[static_cast<std::size_t>(node.process)];
  }

  void ready(std::uint32_t n, Picoseconds time) {
    const GraphNode& node = graph_.nodes()[n];
    GraphProcess& process = process_of(node);
    if (process.busy_until <= time && !process.wakes) return fire(n, time);
    process.waiting.push(n);
    wake_later(process, node.process);
  }

  void wake_later(GraphProcess& process, std::int32_t number) {
    if (process.wakes || process.waiting.empty()) return;
    if (process.busy_until == Ports::unknown) return;  // a transfer's end wakes it
    process.wakes = true;
    events_.push({process.busy_until, GraphEventKind::wakes, static_cast<std::uint32_t>(number)});
  }

  void wake(std::uint32_t number, Picoseconds time) {
    GraphProcess& process = processes_[number];
    const std::uint32_t node = process.waiting.top();
    process.waiting.pop();
    process.wakes = false;
    fire(node, time);
    wake_later(process, static_cast<std::int32_t>(number));
  }

  void fire(std::uint32_t n, Picoseconds time) {
    const GraphNode& node = graph_.nodes()[n];
    const bool transfers = node.kind == TaskKind::put || node.kind == TaskKind::get;
    Picoseconds busy = transfers ? costs_[node.cost].processor : node.duration;
    if (noise_.overhead > 0 && (transfers || node.kind == TaskKind::compute))
      busy += extra_time(noise_, noise_.overhead, static_cast<std::uint64_t>(node.process),
                         static_cast<std::uint64_t>(node.index), ~0ull);
    times_[n].begin = time;
    times_[n].end = time + busy;
    if (node.kind != TaskKind::sleep) process_of(node).busy_until = time + busy;
    if (transfers) {
      transfer(n, node, time + busy);
    } else {
      for (const std::uint32_t next : graph_.after(n)) release(next, time + busy);
    }
  }

  void transfer(std::uint32_t n, const GraphNode& node, Picoseconds handed_over) {
    const StepCost& cost = costs_[node.cost];
    if (node.blocking) process_of(node).busy_until = Ports::unknown;
    if (node.kind == TaskKind::put && !node.blocking)
      for (const std::uint32_t next : graph_.after(n))
        if (graph_.nodes()[next].process == node.process) release(next, handed_over);
    // A get is a request without data, and then a message that takes the way back.
    const bool gets = node.kind == TaskKind::get;
    const Picoseconds asked = gets ? handed_over + cost.latency : handed_over;
    const std::int32_t from = gets ? node.peer : node.process;
    const std::int32_t to = gets ? node.process : node.peer;
    if (from == to) return deliver(n, asked + cost.flight);
    if (cost.shares_channel)
      return transfers_.start({from, to, node.number, node.cost, asked, 0, n});
    deliver(n, ports_.pass(ports_.first_free(from, cost.level), cost, asked) + cost.flight);
  }

  void deliver(std::uint32_t n, Picoseconds time) {
    const GraphNode& node = graph_.nodes()[n];
    if (noise_.latency > 0)
      time += extra_time(noise_, noise_.latency, static_cast<std::uint64_t>(node.process),
                         static_cast<std::uint64_t>(node.peer),
                         static_cast<std::uint64_t>(node.number));
    times_[n].delivered = time;
    if (node.blocking) {
      times_[n].end = time;
      process_of(node).busy_until = time;
      wake_later(process_of(node), node.process);
    }
    const bool released = node.kind == TaskKind::put && !node.blocking;
    for (const std::uint32_t next : graph_.after(n))
      if (!released || graph_.nodes()[next].process != node.process) release(next, time);
  }

  // An edge of a node that needs all counts at once, though its time is yet to come. Where some
  // are enough, the first in time have to be found.
  void release(std::uint32_t n, Picoseconds time) {
    if (!graph_.nodes()[n].needs_all)
      events_.push({time, GraphEventKind::edge, n});
    else
      count_edge(n, time);
  }

  void count_edge(std::uint32_t n, Picoseconds time) {
    Got& got = got_[n];
    got.latest = std::max(got.latest, time);
    if (++got.edges == graph_.nodes()[n].need) events_.push({got.latest, GraphEventKind::ready, n});
  }

  struct Got {
    std::int32_t edges = 0;
    Picoseconds latest = 0;
  };

  const Graph& graph_;
  const std::vector<StepCost>& costs_;
  Noise noise_;
  std::vector<GraphProcess> processes_;
  std::vector<Got> got_;
  std::vector<TaskTimes> times_;
  Ports ports_;
  Transfers transfers_;
  std::priority_queue<GraphEvent> events_;
};

}  // namespace

GraphOutcome run_graph(const Graph& graph, int processes, const CostTable& table,
                       const Machine& machine, const SimulationOptions& options) {
  return GraphEngine(graph, processes, table, machine, options).run();
}

}  // namespace cartwright::plan::simulation
