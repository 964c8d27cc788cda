// SPDX-License-Identifier: Apache-2.0
#include "costs.hpp"

#include <algorithm>
#include <stdexcept>

namespace cartwright::plan::simulation {

CostTable::CostTable(const Machine& machine) : machine_(&machine) {
  for (const Level& level : machine.levels)
    bursts_.push_back(level.network.varying_overhead || level.network.free_burst > 1);
  bursts_.push_back(false);  // messages to oneself
}

std::size_t CostTable::mix(const CostKey& key) {
  auto mix = static_cast<std::uint64_t>(key.bytes) * 0x9E3779B97F4A7C15u;
  mix ^= static_cast<std::uint64_t>(key.level) << 8 | static_cast<std::uint64_t>(key.burst) << 16 |
         static_cast<std::uint64_t>(key.ends_stage) << 5 |
         static_cast<std::uint64_t>(key.kind) << 1 | static_cast<std::uint64_t>(key.marked);
  return static_cast<std::size_t>((mix ^ (mix >> 32)) * 0xC2B2AE3D27D4EB4Fu);
}

std::uint32_t CostTable::find_or_add(const CostKey& key) {
  const auto [known, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(costs_.size()));
  if (added) {
    if (costs_.size() >= (1u << 29))
      throw std::runtime_error("a simulation has too many different sizes of messages");
    costs_.push_back(cost_of(key));
    const StepCost& cost = costs_.back();
    any_hold_ = any_hold_ || cost.hold > 0 || cost.shares_channel;
  }
  return known->second;
}

StepCost CostTable::send_cost(const CostKey& key) const {
  StepCost cost;
  if (static_cast<std::size_t>(key.level) == machine_->levels.size()) return cost;
  const Level& level = machine_->levels[static_cast<std::size_t>(key.level)];
  const Network& network = level.network;
  const double most = network.send_overhead.at(key.bytes);
  const double least = network.send_overhead_min.at(key.bytes);
  cost.processor = picoseconds(
      network.varying_overhead ? least + (most - least) / std::max(key.burst, 1) : most);
  cost.timed_bytes = std::max<Count>(key.bytes - (network.first_byte_is_free ? 1 : 0), 0);
  const Picoseconds bytes_time =
      picoseconds(network.byte_time.at(key.bytes) * static_cast<double>(cost.timed_bytes));
  cost.gap = picoseconds(network.gap.at(key.bytes));
  cost.latency = picoseconds(network.latency.at(key.bytes));
  cost.bytes_hold_port = network.bytes_hold_port;
  cost.hold = cost.gap + (network.bytes_hold_port ? bytes_time : 0);
  cost.flight = cost.latency + bytes_time;
  cost.tolerance = cost.gap * (network.free_burst - 1);
  cost.begins_burst = key.marked;
  cost.shares_channel =
      channel_of(*machine_, static_cast<std::size_t>(key.level)).bandwidth != nullptr;
  return cost;
}

StepCost CostTable::cost_of(const CostKey& key) const {
  StepCost cost;
  if (key.kind == StepKind::send) cost = send_cost(key);
  cost.level = key.level;
  cost.bytes = key.bytes;
  const auto level = static_cast<std::size_t>(key.level);
  const bool receives = key.kind == StepKind::receive || key.kind == StepKind::receive_combine;
  if (receives && level < machine_->levels.size())
    cost.processor += picoseconds(machine_->levels[level].network.receive_overhead.at(key.bytes));
  const auto bytes = static_cast<double>(key.bytes);
  if (key.ends_stage) cost.combining += picoseconds(machine_->stage_overhead);
  if (key.kind == StepKind::combine || key.kind == StepKind::receive_combine)
    cost.combining += picoseconds(machine_->reduce_byte_time * bytes) +
                      (key.marked ? picoseconds(machine_->reduce_overhead) : 0);
  if (key.kind == StepKind::copy) cost.combining += picoseconds(machine_->copy_byte_time * bytes);
  cost.processor += cost.combining;
  return cost;
}

}  // namespace cartwright::plan::simulation
