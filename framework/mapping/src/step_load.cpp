// SPDX-License-Identifier: Apache-2.0
#include "step_load.hpp"

#include <algorithm>

namespace cartwright::mapping {

namespace {

template <typename Load>
void keep_once(std::vector<Load>& loads) {
  std::sort(loads.begin(), loads.end());
  loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
}

/// Of one rank: messages go out one after the other, as many at a time as it has ports.
double sending_time(const Channel& channel, int messages, double bytes) {
  if (messages == 0) return 0.0;
  const double turns = static_cast<double>(messages) / std::min(messages, channel.ports);
  return turns * (channel.start(bytes) + bytes * channel.byte_time(bytes));
}

double node_time(const Channel& channel, int messages, double bytes) {
  if (messages == 0) return 0.0;
  return channel.start(bytes) + channel.shared_time(messages, messages * bytes);
}

}  // namespace

StepLoad::StepLoad(const NodeMap& map, std::span<const GridMessage> messages)
    : ranks_(map.nodes.size()), nodes_(static_cast<std::size_t>(map.node_count)) {
  for (const GridMessage& message : messages) {
    const auto from = static_cast<std::size_t>(message.from);
    const int node = map.nodes[from];
    const bool stays = node == map.nodes[static_cast<std::size_t>(message.to)];
    for (Sent* sent : {&ranks_[from], &nodes_[static_cast<std::size_t>(node)]}) {
      ++(stays ? sent->inside : sent->between);
    }
  }
  keep_once(ranks_);
  keep_once(nodes_);
}

LimitedTime StepLoad::time(const NodeChannels& channels, double bytes) const {
  LimitedTime longest;
  for (const Sent& sent : nodes_) {
    longest.at_least(node_time(channels.between, sent.between, bytes), Limit::between_nodes);
    longest.at_least(node_time(channels.inside, sent.inside, bytes), Limit::inside_nodes);
  }
  for (const Sent& sent : ranks_) {
    longest.at_least(sending_time(channels.between, sent.between, bytes) +
                         sending_time(channels.inside, sent.inside, bytes),
                     Limit::rank);
  }
  return longest;
}

}  // namespace cartwright::mapping
