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

/// What messages of one kind keep a rank from sending others: as many at a time as it has ports.
double holding_time(const Channel& channel, int messages, double bytes) {
  if (messages == 0) return 0.0;
  const double turns = static_cast<double>(messages) / std::min(messages, channel.ports);
  return turns * bytes * channel.byte_time(bytes) + (turns - 1) * channel.occupation(bytes);
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
    // Messages go out one after the other, and are on their way at the same time.
    double way = 0.0;
    if (sent.inside > 0) way = channels.inside.start(bytes);
    if (sent.between > 0) way = std::max(way, channels.between.start(bytes));
    const bool both = sent.inside > 0 && sent.between > 0;
    longest.at_least(way + holding_time(channels.between, sent.between, bytes) +
                         holding_time(channels.inside, sent.inside, bytes) +
                         (both ? channels.inside.occupation(bytes) : 0.0),
                     Limit::rank);
  }
  return longest;
}

}  // namespace cartwright::mapping
