// SPDX-License-Identifier: Apache-2.0
#include "transfers.hpp"

#include <algorithm>

namespace cartwright::plan::simulation {

namespace {

constexpr std::uint64_t starts = 1ull << 32;  // order of the events at which a transfer starts

std::uint64_t queue_name(const Transfer& transfer, const StepCost& cost) {
  return static_cast<std::uint64_t>(transfer.from) << 8 | static_cast<std::uint64_t>(cost.level);
}

}  // namespace

Transfers::Transfers(int ranks, const CostTable& table, const Machine& machine,
                     const Placement& placement, Ports& ports)
    : table_(&table), machine_(&machine), placement_(&placement), ports_(&ports) {
  const int last_core =
      placement.in_order() ? std::max(ranks, 1) - 1 : std::ranges::max(placement.cores());
  const auto add_ways = [&](std::size_t owner, const Concurrency& bandwidth) {
    const auto first = static_cast<std::uint32_t>(ways_.size());
    if (bandwidth.limited())
      ways_.resize(first + static_cast<std::size_t>(unit_of(machine, owner, last_core)) + 1,
                   {Channel(bandwidth)});
    return first;
  };
  WaysOfLevel inside;
  for (std::size_t level = 0; level < machine.levels.size(); ++level) {
    const Level& here = machine.levels[level];
    const std::uint32_t leaving = add_ways(level, here.leaving);
    of_level_.push_back(here.leaving.limited() ? WaysOfLevel{leaving, level} : inside);
    if (here.inside.limited()) inside = {add_ways(level, here.inside), level};
  }
}

std::uint32_t Transfers::way_of(const Transfer& transfer) const {
  const WaysOfLevel& ways = of_level_[static_cast<std::size_t>(cost(transfer).level)];
  const int unit = unit_of(*machine_, ways.owner, placement_->core(transfer.from));
  return ways.first + static_cast<std::uint32_t>(unit);
}

void Transfers::start(const Transfer& transfer) {
  auto id = static_cast<std::uint32_t>(transfers_.size());
  if (unused_.empty()) {
    transfers_.push_back(transfer);
    next_.push_back(none);
  } else {
    id = unused_.back();
    unused_.pop_back();
    transfers_[id] = transfer;
  }
  const StepCost& step = cost(transfer);
  const std::size_t port = ports_->first_free(transfer.from, step.level);
  if (!step.bytes_hold_port) {
    const Picoseconds taken = ports_->pass(port, step, transfer.ready);
    events_.push({taken, starts + static_cast<std::uint64_t>(transfer.from), id});
  } else if (ports_->free_at(port) == Ports::unknown) {
    wait_for_port(id);
  } else {
    take_port(id, port);
  }
}

void Transfers::wait_for_port(std::uint32_t id) {
  Queue& queue = queues_[queue_name(transfers_[id], cost(transfers_[id]))];
  (queue.first == none ? queue.first : next_[queue.last]) = id;
  queue.last = id;
  next_[id] = none;
}

void Transfers::take_port(std::uint32_t id, std::size_t port) {
  Transfer& transfer = transfers_[id];
  transfer.port = port;
  const Picoseconds taken = std::max(transfer.ready, ports_->free_at(port));
  ports_->set_free_at(port, Ports::unknown);  // until the transfer is through
  events_.push({taken, starts + static_cast<std::uint64_t>(transfer.from), id});
}

void Transfers::release_port(const Transfer& transfer, Picoseconds time) {
  const StepCost& step = cost(transfer);
  if (!step.bytes_hold_port) return;
  ports_->set_free_at(transfer.port, time + step.gap);
  if (queues_.empty()) return;
  const auto queue = queues_.find(queue_name(transfer, step));
  if (queue == queues_.end()) return;
  const std::uint32_t next = queue->second.first;
  queue->second.first = next_[next];
  if (queue->second.first == none) queues_.erase(queue);
  take_port(next, transfer.port);
}

// Most messages that enter slow down the others, and what was expected only comes later.
void Transfers::expect_exit(std::uint32_t number) {
  Way& way = ways_[number];
  if (way.channel.empty()) return;
  const Picoseconds exit = way.channel.next_exit();
  if (way.expected != nothing && way.expected <= exit) return;
  way.expected = exit;
  events_.push({exit, number, number});
}

void Transfers::enter(std::uint32_t id, Picoseconds time) {
  const Transfer& transfer = transfers_[id];
  const std::uint32_t way = way_of(transfer);
  const std::uint64_t order =
      static_cast<std::uint64_t>(transfer.from) << 32 | static_cast<unsigned>(transfer.to);
  ways_[way].channel.enter(time, id, cost(transfer).timed_bytes, order);
  expect_exit(way);
}

bool Transfers::advance(Transfer& done, Picoseconds& through) {
  const Event event = events_.top();
  events_.pop();
  if (event.order >= starts) {
    enter(event.subject, event.time);
    return false;
  }
  Way& way = ways_[event.subject];
  if (way.expected != event.time) return false;  // an earlier exit was expected, and has been
  way.expected = nothing;
  if (way.channel.next_exit() > event.time) {
    expect_exit(event.subject);
    return false;
  }
  const std::uint32_t id = way.channel.exit(event.time);
  expect_exit(event.subject);
  done = transfers_[id];
  through = event.time;
  unused_.push_back(id);
  release_port(done, through);
  return true;
}

}  // namespace cartwright::plan::simulation
