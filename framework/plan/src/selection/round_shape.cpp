// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/round_shape.hpp>

#include <algorithm>
#include <vector>

namespace cartwright::plan {

namespace {

// The outermost level that a message of the round crosses.
std::size_t crossed_level(const Machine& machine, int ranks, const RoundShape& round) {
  for (std::size_t level = 0; level + 1 < machine.levels.size(); ++level) {
    const Count unit = machine.ranks_in_unit(level);
    const bool stays = ranks <= unit || (round.span > 0 && unit % round.span == 0);
    if (!stays) return level;
  }
  return machine.levels.size() - 1;
}

// Seconds a byte of a message, when all messages that leave its unit, or that stay inside of the
// one around, share what there is.
double shared_byte_time(const Machine& machine, int ranks, std::size_t level,
                        const RoundShape& round) {
  const double alone = machine.levels[level].network.byte_time.at(round.bytes);
  const SharedChannel channel = channel_of(machine, level);
  if (channel.bandwidth == nullptr) return alone;
  const Count senders = channel.owner == level ? round.distance : ranks;
  const Count all = std::min<Count>(senders, machine.ranks_in_unit(channel.owner)) * round.sends;
  const auto messages = static_cast<int>(std::clamp<Count>(all, 1, 1 << 20));
  return std::max(alone, messages / channel.bandwidth->at(messages));
}

Picoseconds bytes_time(const Network& network, Count bytes, double byte_time) {
  const Count paid = bytes - (network.first_byte_is_free && bytes > 0 ? 1 : 0);
  return picoseconds(static_cast<double>(paid) * byte_time);
}

double send_overhead(const Network& network, int burst, Count bytes) {
  const double most = network.send_overhead.at(bytes);
  if (!network.varying_overhead) return most;
  const double least = network.send_overhead_min.at(bytes);
  return least + (most - least) / burst;
}

Picoseconds time_of_round(const Machine& machine, int ranks, const RoundShape& round) {
  Picoseconds time = picoseconds(machine.reduce_byte_time * static_cast<double>(round.combined) +
                                 machine.copy_byte_time * static_cast<double>(round.copied));
  if (round.combined > 0) time += picoseconds(machine.reduce_overhead);
  if (round.receives > 0) time += picoseconds(machine.stage_overhead);
  if (round.sends + round.receives == 0) return time;
  const std::size_t level = crossed_level(machine, ranks, round);
  const Network& network = machine.levels[level].network;
  const int ports = machine.levels[level].ports;
  const double byte_time = shared_byte_time(machine, ranks, level, round);
  if (round.overlapped)
    return occupation_time(network, ports, round.sends, round.receives, round.bytes, byte_time,
                           time);
  return time + burst_time(network, ports, round.sends, round.receives, round.bytes, byte_time);
}

}  // namespace

Picoseconds burst_time(const Network& network, int ports, int sends, int receives, Count bytes,
                       double byte_time) {
  const Picoseconds overhead = picoseconds(send_overhead(network, std::max(sends, 1), bytes));
  const Picoseconds data = bytes_time(network, bytes, byte_time);
  const Picoseconds gap = picoseconds(network.gap.at(bytes));
  const Picoseconds latency = picoseconds(network.latency.at(bytes));
  const Picoseconds receive_overhead = picoseconds(network.receive_overhead.at(bytes));
  std::vector<Picoseconds> port(static_cast<std::size_t>(std::max(ports, 1)), 0);
  std::vector<Picoseconds> arrivals;
  Picoseconds processor = 0;
  for (int i = 0; i < std::max(sends, 1); ++i) {
    processor += overhead;
    const auto first_free = std::ranges::min_element(port);
    const Picoseconds start = std::max(processor, *first_free);
    const bool free_of_gap = i + 1 < network.free_burst;
    *first_free = start + (free_of_gap ? 0 : gap) + (network.bytes_hold_port ? data : 0);
    arrivals.push_back(start + latency + data);
  }
  // Who waits for one message may be the last that is sent to; who waits for as many as it sends
  // gets one with each; who waits for more gets them from as many ranks.
  if (receives == 0) return *std::ranges::min_element(port);
  if (receives == 1) return arrivals.back() + receive_overhead;
  Picoseconds time = sends > 1 ? processor : 0;
  for (int i = 0; i < receives; ++i) {
    const auto at = static_cast<std::size_t>(std::min(i, std::max(sends, 1) - 1));
    time = std::max(time, arrivals[at]) + receive_overhead;
  }
  return time;
}

Picoseconds occupation_time(const Network& network, int ports, int sends, int receives, Count bytes,
                            double byte_time, Picoseconds combining) {
  const Picoseconds overheads =
      sends * picoseconds(send_overhead(network, std::max(sends, 1), bytes)) +
      receives * picoseconds(network.receive_overhead.at(bytes));
  const Picoseconds held = picoseconds(network.gap.at(bytes)) +
                           (network.bytes_hold_port ? bytes_time(network, bytes, byte_time) : 0);
  return std::max(overheads + combining, (sends + ports - 1) / ports * held);
}

Picoseconds time_of(const Machine& machine, int ranks, std::span<const RoundShape> rounds) {
  Picoseconds time = 0;
  for (const RoundShape& round : rounds) time += round.times * time_of_round(machine, ranks, round);
  return time;
}

}  // namespace cartwright::plan
