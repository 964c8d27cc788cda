// SPDX-License-Identifier: Apache-2.0
#include "log_gops.hpp"

#include <algorithm>
#include <chrono>
#include <queue>

#include "compact.hpp"
#include "in_order.hpp"
#include "pending.hpp"

namespace cartwright::validation {

namespace {

using namespace plan;
using namespace plan::simulation;

// A rank comes to a step, or the first byte of a message to a rank.
struct GopsEvent {
  Picoseconds time = 0;
  std::uint64_t order = 0;  // in which events came up: breaks ties
  std::int32_t rank = 0;
  std::int32_t from = -1;  // of a message; -1: a step
  std::int32_t number = 0;
  bool combines = false;  // the step has received, and is to combine
  std::uint32_t cost = 0;
  bool operator<(const GopsEvent& other) const {  // the earliest is on top
    return time != other.time ? time > other.time : order > other.order;
  }
};

struct GopsRank {
  Picoseconds processor = 0;  // from when it is free
  Picoseconds sending = 0;    // its port
  Picoseconds receiving = 0;
  Picoseconds due = 0;  // of the step at which it is
  std::size_t next = 0;
  bool posted = false;  // the receive at which it is waits
};

class LogGops {
 public:
  LogGops(const CompactSchedules& schedules, const SimulationOptions& options)
      : schedules_(schedules),
        records_(options.record == Record::timeline),
        ranks_(static_cast<std::size_t>(schedules.ranks())) {
    for (int r = 0; r < schedules.ranks(); ++r) {
      GopsRank& rank = ranks_[static_cast<std::size_t>(r)];
      if (!options.arrivals.empty()) rank.processor = options.arrivals[static_cast<std::size_t>(r)];
      rank.next = schedules.begin(r);
      come_to_step(r);
    }
  }

  Outcome run() {
    while (!events_.empty()) {
      const GopsEvent event = events_.top();
      events_.pop();
      if (event.from >= 0) {
        take_in(event);
      } else {
        do_step(event);
      }
    }
    Outcome outcome;
    for (int r = 0; r < schedules_.ranks(); ++r) {
      const GopsRank& rank = ranks_[static_cast<std::size_t>(r)];
      if (rank.next < schedules_.end(r)) throw_waits(r, schedules_.steps()[rank.next]);
      outcome.finish.push_back(rank.processor);
    }
    if (!taken_in_.empty()) throw_left_over(taken_in_.any());
    outcome.steps = std::move(timeline_);
    return outcome;
  }

 private:
  [[nodiscard]] const CompactStep& step_of(const GopsRank& rank) const {
    return schedules_.steps()[rank.next];
  }

  void come_to_step(int r) {
    GopsRank& rank = ranks_[static_cast<std::size_t>(r)];
    if (rank.next == schedules_.end(r)) return;
    rank.due = rank.processor;
    const bool sends = step_of(rank).kind() == StepKind::send;
    push({sends ? std::max(rank.processor, rank.sending) : rank.processor, 0, r});
  }

  void push(GopsEvent event) {
    event.order = order_++;
    events_.push(event);
  }
  void push_again(GopsEvent event, Picoseconds time) {
    event.time = time;
    events_.push(event);
  }

  void finish_step(int r, Picoseconds begin) {
    GopsRank& rank = ranks_[static_cast<std::size_t>(r)];
    record(r, rank, begin);
    ++rank.next;
    come_to_step(r);
  }

  void do_step(const GopsEvent& event) {
    GopsRank& rank = ranks_[static_cast<std::size_t>(event.rank)];
    const CompactStep& step = step_of(rank);
    const bool receives =
        step.kind() == StepKind::receive || step.kind() == StepKind::receive_combine;
    if (receives && !event.combines) return receive(event.rank, rank, step);
    const bool sends = step.kind() == StepKind::send;
    const Picoseconds free = sends ? std::max(rank.processor, rank.sending) : rank.processor;
    if (free > event.time) return push_again(event, free);
    const StepCost& cost = schedules_.cost(step);
    if (sends) {
      send(event.rank, rank, step, cost, event.time);
    } else {
      rank.processor = event.time + cost.combining;
    }
    finish_step(event.rank, event.time);
  }

  void send(int r, GopsRank& rank, const CompactStep& step, const StepCost& cost,
            Picoseconds time) {
    rank.processor = time + cost.processor;
    rank.sending = time + cost.hold;
    push({rank.processor + cost.latency, 0, step.peer, r, step.number, false, step.cost()});
  }

  void receive(int r, GopsRank& rank, const CompactStep& step) {
    Picoseconds taken = 0;
    if (taken_in_.take({step.peer, r, step.number}, taken)) {
      received(r, rank, rank.processor);
    } else {
      rank.posted = true;
    }
  }

  void received(int r, GopsRank& rank, Picoseconds begin) {
    rank.posted = false;
    if (schedules_.cost(step_of(rank)).combining == 0) return finish_step(r, begin);
    push({rank.processor, 0, r, -1, 0, true});
  }

  void take_in(const GopsEvent& event) {
    GopsRank& rank = ranks_[static_cast<std::size_t>(event.rank)];
    const Picoseconds free = std::max(rank.processor, rank.receiving);
    if (free > event.time) return push_again(event, free);
    const StepCost& sent = schedules_.table().costs()[event.cost];
    const Picoseconds bytes = sent.flight - sent.latency;
    rank.processor = event.time + receive_overhead(sent) + bytes;
    rank.receiving = event.time + sent.gap + bytes;
    if (rank.posted && step_of(rank).peer == event.from && step_of(rank).number == event.number) {
      received(event.rank, rank, event.time);
    } else {
      taken_in_.put({event.from, event.rank, event.number}, event.time);
    }
  }

  [[nodiscard]] Picoseconds receive_overhead(const StepCost& sent) const {
    const auto level = static_cast<std::size_t>(sent.level);
    const auto& levels = schedules_.machine().levels;
    if (level == levels.size()) return 0;
    return picoseconds(levels[level].network.receive_overhead.at(sent.bytes));
  }

  void record(int r, const GopsRank& rank, Picoseconds begin) {
    if (!records_) return;
    const CompactStep& step = step_of(rank);
    const StepCost& cost = schedules_.cost(step);
    timeline_.push_back({step.kind(), r, static_cast<std::int32_t>(rank.next - schedules_.begin(r)),
                         step.peer, step.number, cost.bytes, rank.due, begin, rank.processor,
                         step.kind() == StepKind::send ? rank.processor + cost.latency : 0});
  }

  const CompactSchedules& schedules_;
  bool records_;
  std::vector<GopsRank> ranks_;
  std::priority_queue<GopsEvent> events_;
  std::uint64_t order_ = 0;
  PendingMessages taken_in_;
  std::vector<TimelineStep> timeline_;
};

}  // namespace

Simulation simulate_log_gops(int ranks, const plan::ScheduleMaker& make, const Layout& layout,
                             std::size_t element_size, const Machine& machine,
                             const SimulationOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CompactSchedules schedules(ranks, machine, options.placement, false);
  for (int r = 0; r < ranks; ++r) schedules.add(make(r), layout, element_size);
  Outcome outcome = LogGops(schedules, options).run();
  Simulation result;
  const auto [earliest, latest] = std::ranges::minmax(outcome.finish);
  result.total = latest;
  result.spread = latest - earliest;
  result.finish = std::move(outcome.finish);
  result.timeline = {.ranks = ranks, .steps = std::move(outcome.steps)};
  result.steps = static_cast<Count>(schedules.steps().size());
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace cartwright::validation
