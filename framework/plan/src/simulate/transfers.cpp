// SPDX-License-Identifier: Apache-2.0
#include "transfers.hpp"

namespace cartwright::plan::simulation {

namespace {

constexpr std::uint64_t starts = 1ull << 32;  // order of the events at which a transfer starts

std::uint64_t queue_name(const Transfer& transfer, const StepCost& cost) {
  return static_cast<std::uint64_t>(transfer.from) << 8 | static_cast<std::uint64_t>(cost.level);
}

}  // namespace

Transfers::Transfers(const CostTable& table, const Machine& machine, const Placement& placement,
                     Ports& ports)
    : table_(&table), machine_(&machine), placement_(&placement), ports_(&ports) {}

std::uint32_t Transfers::channel_of(const Transfer& transfer) {
  const auto level = static_cast<std::size_t>(cost(transfer).level);
  const int unit = unit_of(*machine_, level, placement_->core(transfer.from));
  const std::uint64_t name = static_cast<std::uint64_t>(level) << 32 | static_cast<unsigned>(unit);
  const auto [known, added] =
      channel_numbers_.try_emplace(name, static_cast<std::uint32_t>(channels_.size()));
  if (added) channels_.emplace_back(machine_->levels[level].leaving);
  return known->second;
}

void Transfers::start(const Transfer& transfer) {
  std::uint32_t id = static_cast<std::uint32_t>(transfers_.size());
  if (unused_.empty()) {
    transfers_.push_back(transfer);
  } else {
    id = unused_.back();
    unused_.pop_back();
    transfers_[id] = transfer;
  }
  const StepCost& step = cost(transfer);
  const std::size_t port = ports_->first_free(transfer.from, step.level);
  if (!step.bytes_hold_port) {
    const Picoseconds taken = ports_->pass(port, step, transfer.ready);
    events_.push({taken, starts + static_cast<std::uint64_t>(transfer.from), id, 0});
  } else if (ports_->free_at(port) == Ports::unknown) {
    queues_[queue_name(transfer, step)].push_back(id);
  } else {
    take_port(id, port);
  }
}

void Transfers::take_port(std::uint32_t id, std::size_t port) {
  Transfer& transfer = transfers_[id];
  transfer.port = port;
  const Picoseconds taken = std::max(transfer.ready, ports_->free_at(port));
  ports_->set_free_at(port, Ports::unknown);  // until the transfer is through
  events_.push({taken, starts + static_cast<std::uint64_t>(transfer.from), id, 0});
}

void Transfers::release_port(const Transfer& transfer, Picoseconds time) {
  const StepCost& step = cost(transfer);
  if (!step.bytes_hold_port) return;
  ports_->set_free_at(transfer.port, time + step.gap);
  const auto queue = queues_.find(queue_name(transfer, step));
  if (queue == queues_.end()) return;
  const std::uint32_t next = queue->second.front();
  queue->second.pop_front();
  if (queue->second.empty()) queues_.erase(queue);
  take_port(next, transfer.port);
}

void Transfers::expect_exit(std::uint32_t number) {
  const Channel& channel = channels_[number];
  if (!channel.empty()) events_.push({channel.next_exit(), number, number, channel.version()});
}

void Transfers::enter(std::uint32_t id, Picoseconds time) {
  const Transfer& transfer = transfers_[id];
  const std::uint32_t channel = channel_of(transfer);
  const std::uint64_t order =
      static_cast<std::uint64_t>(transfer.from) << 32 | static_cast<unsigned>(transfer.to);
  channels_[channel].enter(time, id, cost(transfer).timed_bytes, order);
  expect_exit(channel);
}

bool Transfers::advance(Transfer& done, Picoseconds& through) {
  const Event event = events_.top();
  events_.pop();
  if (event.order >= starts) {
    enter(event.subject, event.time);
    return false;
  }
  if (channels_[event.subject].version() != event.version) return false;  // things have changed
  const std::uint32_t id = channels_[event.subject].exit(event.time);
  expect_exit(event.subject);
  done = transfers_[id];
  through = event.time;
  unused_.push_back(id);
  release_port(done, through);
  return true;
}

}  // namespace cartwright::plan::simulation
