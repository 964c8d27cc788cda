// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <cstddef>

namespace cartwright::mapping {

/// What messages of one kind cost when several of them move at the same time.
struct Channel {
  plan::Network network;
  plan::Concurrency together;  ///< B(j) of the whole node; none: messages don't share anything
  int ports = 1;               ///< messages that a rank can send at the same time

  /// Seconds before the first byte arrives, both processors included.
  [[nodiscard]] double start(double bytes) const;
  /// Seconds that a message without bytes keeps its sender from the next one.
  [[nodiscard]] double occupation(double bytes) const;
  /// Seconds per byte of a message that moves alone.
  [[nodiscard]] double byte_time(double bytes) const;
  /// Seconds until `messages` of them, together `bytes` long, are through the node's channel;
  /// 0 where nothing is shared.
  [[nodiscard]] double shared_time(int messages, double bytes) const;
};

/// A machine as a mapping onto its nodes sees it. Nodes are all alike, and what lies between them
/// (switches, groups of nodes) isn't looked at.
struct NodeChannels {
  Channel between;    ///< messages from a node to another one share what leaves the node
  Channel inside;     ///< messages that stay inside share this, all of the node together
  int node_size = 0;  ///< cores; 0: any number
};

/// The level of nodes: the innermost one of that name, else the outermost.
[[nodiscard]] std::size_t node_level(const plan::Machine& machine);

/// From a machine's levels. Inside a node its own curve counts, or else the first one B(j) below it
/// does for all that stays inside: that was measured between pairs of two units, so U units carry
/// U / 2 times as much.
/// Messages start as those of the dearest level inside. Throws an input error if the machine has
/// one rank a node.
[[nodiscard]] NodeChannels node_channels(const plan::Machine& machine);

}  // namespace cartwright::mapping
