// SPDX-License-Identifier: Apache-2.0
#include "in_order.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "pending.hpp"
#include "ports.hpp"
#include "transfers.hpp"

namespace cartwright::plan::simulation {

namespace {

constexpr std::uint64_t overhead_noise = ~0ull;  // in place of a rank

// `extras`: with noise or a timeline.
template <bool extras>
class InOrder {
 public:
  InOrder(const CompactSchedules& schedules, const SimulationOptions& options)
      : schedules_(schedules),
        steps_(schedules.steps().data()),
        costs_(schedules.table().costs().data()),
        noise_(options.noise),
        records_(options.record == Record::timeline),
        ranks_(static_cast<std::size_t>(schedules.ranks())),
        ports_(schedules.ranks(), schedules.machine()),
        transfers_(schedules.ranks(), schedules.table(), schedules.machine(), schedules.placement(),
                   ports_),
        holds_ports_(schedules.table().any_hold()) {
    for (int r = 0; r < schedules.ranks(); ++r) {
      State& state = ranks_[static_cast<std::size_t>(r)];
      state.clock = options.arrivals.empty() ? 0 : options.arrivals[static_cast<std::size_t>(r)];
      state.next = schedules.begin(r);
      state.left = static_cast<std::int32_t>(schedules.end(r) - state.next);
    }
  }

  Outcome run() {
    for (int r = 0; r < schedules_.ranks(); ++r) {
      advance(r);
      drain();
    }
    while (!transfers_.idle()) {
      Transfer done;
      Picoseconds through = 0;
      if (!transfers_.advance(done, through)) continue;
      arrive(done, through + costs_[done.cost].latency);
      drain();
    }
    return finish();
  }

 private:
  // A cache line for each rank: in large runs, what counts is how many of them are touched.
  struct alignas(64) State {
    Picoseconds clock = 0;
    std::size_t next = 0;
    Picoseconds arrival = 0;        // of the message that it receives
    std::int32_t left = 0;          // steps
    std::int32_t awaited = nobody;  // sender of the message that it waits for
    std::int32_t awaited_number = 0;
    // A message that came before it was asked for; how many more are among the pending ones.
    std::int32_t early = nobody;  // sender
    std::int32_t early_number = 0;
    std::int32_t pending = 0;
    Picoseconds early_arrival = 0;
  };
  static constexpr std::int32_t nobody = -1;
  static constexpr std::int32_t arrived = -2;

  void drain() {
    while (!ready_.empty()) {
      const int rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
  }

  // Runs a rank until its end, or until a message is missing.
  void advance(int rank) {
    State& state = ranks_[static_cast<std::size_t>(rank)];
    for (; state.left > 0; ++state.next, --state.left) {
      const CompactStep& step = steps_[state.next];
      const StepCost& cost = costs_[step.cost()];
      const Picoseconds due = state.clock;
      Picoseconds begin = due;
      if (step.kind() == StepKind::receive || step.kind() == StepKind::receive_combine) {
        if (!receive(state, rank, step)) return;
        begin = std::max(due, state.arrival);
      }
      state.clock = begin + cost.processor;
      if constexpr (extras) {
        state.clock += extra_time(noise_, noise_.overhead, static_cast<std::uint64_t>(rank),
                                  state.next - schedules_.begin(rank), overhead_noise);
        if (records_) record(rank, step, due, begin, state.clock);
      }
      if (step.kind() == StepKind::send) send(rank, step, cost, state.clock);
    }
  }

  // Whether the message is here; its arrival is then in the state.
  bool receive(State& state, int rank, const CompactStep& step) {
    if (state.awaited == arrived) {
      state.awaited = nobody;
      return true;
    }
    if (state.early == step.peer && state.early_number == step.number) {
      state.early = nobody;
      state.arrival = state.early_arrival;
      return true;
    }
    if (state.pending > 0 && pending_.take({step.peer, rank, step.number}, state.arrival)) {
      --state.pending;
      return true;
    }
    state.awaited = step.peer;
    state.awaited_number = step.number;
    return false;
  }

  void send(int rank, const CompactStep& step, const StepCost& cost, Picoseconds ready) {
    if (cost.shares_channel) {
      transfers_.start({rank, step.peer, step.number, step.cost(), ready, 0,
                        timeline_.empty() ? 0 : timeline_.size() - 1});
      return;
    }
    Picoseconds taken = ready;
    if (holds_ports_ && step.peer != rank)
      taken = ports_.pass(ports_.first_free(rank, cost.level), cost, ready);
    arrive({rank, step.peer, step.number, step.cost(), ready, 0, timeline_.size() - 1},
           taken + cost.flight);
  }

  void arrive(const Transfer& message, Picoseconds arrival) {
    if constexpr (extras) {
      arrival += extra_time(noise_, noise_.latency, static_cast<std::uint64_t>(message.from),
                            static_cast<std::uint64_t>(message.to),
                            static_cast<std::uint64_t>(message.number));
      if (records_) timeline_[message.record].arrival = arrival;
    }
    State& receiver = ranks_[static_cast<std::size_t>(message.to)];
    if (receiver.awaited == message.from && receiver.awaited_number == message.number) {
      receiver.awaited = arrived;
      receiver.arrival = arrival;
      ready_.push_back(message.to);
    } else if (receiver.early == nobody) {
      receiver.early = message.from;
      receiver.early_number = message.number;
      receiver.early_arrival = arrival;
    } else {
      pending_.put({message.from, message.to, message.number}, arrival);
      ++receiver.pending;
    }
  }

  void record(int rank, const CompactStep& step, Picoseconds due, Picoseconds begin,
              Picoseconds end) {
    const std::size_t number = ranks_[static_cast<std::size_t>(rank)].next - schedules_.begin(rank);
    timeline_.push_back({step.kind(), rank, static_cast<std::int32_t>(number), step.peer,
                         step.number, costs_[step.cost()].bytes, due, begin, end, 0});
  }

  Outcome finish() {
    Outcome outcome;
    outcome.finish.reserve(ranks_.size());
    for (int r = 0; r < schedules_.ranks(); ++r) {
      const State& state = ranks_[static_cast<std::size_t>(r)];
      if (state.left > 0) throw_waits(r, steps_[state.next]);
      if (state.early != nobody) throw_left_over({state.early, r, state.early_number});
      outcome.finish.push_back(state.clock);
    }
    if (!pending_.empty()) throw_left_over(pending_.any());
    outcome.steps = std::move(timeline_);
    return outcome;
  }

  const CompactSchedules& schedules_;
  const CompactStep* steps_;
  const StepCost* costs_;
  Noise noise_;
  bool records_;
  std::vector<State> ranks_;
  std::vector<int> ready_;  // the last first: what a rank has just touched is still in the cache
  PendingMessages pending_;
  Ports ports_;
  Transfers transfers_;
  bool holds_ports_;
  std::vector<TimelineStep> timeline_;
};

}  // namespace

void throw_waits(int rank, const CompactStep& step) {
  throw std::runtime_error("simulated rank " + std::to_string(rank) + " waits for message " +
                           std::to_string(step.number) + " from rank " + std::to_string(step.peer) +
                           ", which never comes");
}

Outcome run_in_order(const CompactSchedules& schedules, const SimulationOptions& options) {
  if (options.noise.any() || options.record == Record::timeline)
    return InOrder<true>(schedules, options).run();
  return InOrder<false>(schedules, options).run();
}

}  // namespace cartwright::plan::simulation
