// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

namespace cartwright::mapping {

namespace {

plan::Count whole(double bytes) {
  return std::llround(bytes);
}

/// B(j) of a node, from the curve of one pair of its units: `pairs` of them work side by side.
plan::Concurrency of_pairs(const plan::Concurrency& curve, double pairs) {
  plan::Concurrency all;
  const auto most =
      static_cast<int>(std::ceil(pairs * static_cast<double>(curve.bandwidth.size())));
  for (int messages = 1; messages <= most; ++messages) {
    const double busy = std::min(pairs, static_cast<double>(messages));
    const auto each = static_cast<int>(std::ceil(messages / busy));
    all.bandwidth.push_back(busy * curve.at(each));
  }
  return all;
}

/// The first level below nodes whose messages share something, else the first below them.
const plan::Level& inner_level(const plan::Machine& machine, std::size_t node) {
  for (std::size_t level = node + 1; level < machine.levels.size(); ++level) {
    if (machine.levels[level].leaving.limited()) return machine.levels[level];
  }
  return machine.levels[node + 1];
}

}  // namespace

double Channel::start(double bytes) const {
  const plan::Count n = whole(bytes);
  return network.send_overhead.at(n) + network.latency.at(n) + network.receive_overhead.at(n);
}

double Channel::occupation(double bytes) const {
  const plan::Count n = whole(bytes);
  return std::max(network.send_overhead.at(n), network.gap.at(n));
}

double Channel::byte_time(double bytes) const {
  return network.byte_time.at(whole(bytes));
}

double Channel::shared_time(int messages, double bytes) const {
  if (messages == 0 || !together.limited()) return 0.0;
  return bytes / together.at(messages);
}

std::size_t node_level(const plan::Machine& machine) {
  for (std::size_t level = machine.levels.size(); level-- > 0;) {
    if (machine.levels[level].name == "node") return level;
  }
  return 0;
}

NodeChannels node_channels(const plan::Machine& machine) {
  const std::size_t node = node_level(machine);
  if (node + 1 >= machine.levels.size()) {
    throw rt::input_error(
        fmt::format("the machine '{}' has one rank on each {}: every mapping costs the same there",
                    machine.name, machine.levels[node].name),
        "Take a machine whose description goes down to cores, for instance jaguar.");
  }
  const plan::Level& outer = machine.levels[node];
  const plan::Level& inner = inner_level(machine, node);
  NodeChannels channels;
  channels.between = {outer.network, outer.leaving, outer.ports};
  channels.inside = {inner.network, {}, inner.ports};
  channels.node_size = machine.ranks_in_unit(node);
  if (outer.inside.limited()) {
    channels.inside.together = outer.inside;
  } else if (inner.leaving.limited()) {
    int units = 1;
    for (std::size_t level = node + 1; &machine.levels[level - 1] != &inner; ++level) {
      units *= machine.levels[level].units;
    }
    channels.inside.together = of_pairs(inner.leaving, std::max(1.0, units / 2.0));
  }
  return channels;
}

}  // namespace cartwright::mapping
